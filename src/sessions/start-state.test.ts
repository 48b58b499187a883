import { expect, test } from 'vitest';
import { startOf } from './start-state.ts';

const FILE = { path: 'a/b.txt', mtimeMs: 1000, state: { kind: 'file', hash: 'h', mode: 0o644, size: 1 } };
const START = {
  type: 'start',
  version: 1,
  cwd: '/home/ada/shop',
  home: '/home/ada',
  temp: '/tmp',
  mode: 'default',
  toolNames: 'PascalCase',
  addDirs: [],
  sandbox: null,
  bashTimeoutMs: null,
  seesImages: true,
  environment: { TZ: 'Asia/Tokyo', LC_ALL: 'C' },
  messages: 1,
  entries: [FILE],
  missing: null,
};

const withEntry = (change: object): object => ({ ...START, entries: [{ ...FILE, ...change }] });
const withState = (change: object): object => withEntry({ state: { ...FILE.state, ...change } });

test('a start is read as it was written, also with names that are no text', () => {
  for (const value of [START, { ...START, entries: null, missing: 'too large' }, withEntry({ path: 'f\u00ff' })])
    expect(startOf(value)).toEqual(value);
});

test.each([
  // Its low bytes would be "../../etc".
  ['a path whose letters are other bytes', withEntry({ path: '\u012e\u012e\u012f\u012e\u012e\u012fetc' })],
  ['a path that steps back', withEntry({ path: 'a/../../b' })],
  ['an absolute path', withEntry({ path: '/etc/passwd' })],
  ['a name that no file system takes', withEntry({ path: 'x'.repeat(300) })],
  ['a NUL in a path', withEntry({ path: 'a\0b' })],
  ['a time that is none', withEntry({ mtimeMs: 1e300 })],
  ['a mode beyond all modes', withState({ mode: 1e12 })],
  ['a mode below all modes', withState({ mode: -1 })],
  ['half a mode', withState({ mode: 0.5 })],
  ['a link to other bytes', withEntry({ state: { kind: 'link', target: '\u012fetc' } })],
  ['a folder that steps back', { ...START, cwd: '/home/ada/..' }],
  ['a folder with a NUL', { ...START, home: '/home/a\0da' }],
  ['a PATH of its own', { ...START, environment: { PATH: '/tmp/evil' } }],
  ['a variable that is no text', { ...START, environment: { TZ: 1 } }],
  ['a NUL in a variable', { ...START, environment: { TZ: 'a\0b' } }],
  ['a deadline that is none', { ...START, bashTimeoutMs: 'abc' }],
  ['a deadline below zero', { ...START, bashTimeoutMs: -5 }],
  ['a count without end', { ...START, messages: Number.POSITIVE_INFINITY }],
])('%s makes no start', (_name, value) => expect(startOf(value)).toBeNull());
