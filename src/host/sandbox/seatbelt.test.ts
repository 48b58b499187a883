import { expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt.ts';

const PLACE = {
  workspace: '/work/app',
  addDirs: [],
  home: '/Users/me',
  state: '/Users/me/state',
  config: '/Users/me/config',
  mode: 'workspace-write',
  environment: {},
} as const;

test('a profile denies writes, secrets and the network, and then opens what was granted', () => {
  const closed = seatbeltProfile(PLACE, { writes: 'nothing', network: false, writable: [], readable: [] });
  expect(closed).toContain('(deny file-write*)');
  expect(closed).toContain('(subpath "/Users/me/.ssh")');
  expect(closed).toContain('(deny network*)');
  expect(closed).not.toContain('(subpath "/work/app")');
  const open = seatbeltProfile(PLACE, { writes: 'workspace', network: true, writable: ['/data/"x"'], readable: [] });
  expect(open).toContain('(subpath "/work/app")');
  expect(open).toContain('(subpath "/work/app/.git/hooks")');
  expect(open).toContain('(subpath "/data/\\"x\\"")');
  expect(open).not.toContain('(deny network*)');
});
