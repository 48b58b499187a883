import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userFolders } from './user-folders.ts';

test('the XDG folders count where they are absolute', () => {
  expect(userFolders({ HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' })).toEqual({
    home: '/h',
    config: '/c/wield',
    state: '/s/wield',
  });
});

test.each(['', '.', 'state', '~/state'])('%j is as good as not set', (value) => {
  const { homedir } = userInfo();
  expect(userFolders({ HOME: value, XDG_CONFIG_HOME: value, XDG_STATE_HOME: value })).toEqual({
    home: homedir,
    config: join(homedir, '.config/wield'),
    state: join(homedir, '.local/state/wield'),
  });
});
