import { describe, expect, test } from 'vitest';
import { denialsIn } from './denials.ts';

const offline = (output: string) => denialsIn(output, { cwd: '/usr/lib', hasNetwork: false });

describe('what a command was kept from', () => {
  test.each([
    ['npm error code EAI_AGAIN'],
    ['curl: (6) Could not resolve host: example.com'],
    ['connect: Network is unreachable'],
    ['Temporary failure in name resolution'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
    ['dial tcp: lookup proxy.golang.org: no such host'],
  ])('the network: %s', (output) => {
    expect(offline(output)).toMatchObject({ network: true, writes: [] });
    expect(denialsIn(output, { cwd: '/', hasNetwork: true }).network).toBe(false);
  });

  test.each([
    ['/bin/bash: line 1: /etc/x: Read-only file system', '/etc'],
    ["touch: cannot touch '/usr/bin/x y': Read-only file system", '/usr/bin'],
    ["Error: EROFS: read-only file system, open '/etc/hosts'", '/etc/hosts'],
    ["OSError: [Errno 30] Read-only file system: '/etc/new/deep/x'", '/etc'],
    ['cp: cannot create regular file "x": Read-only file system', '/usr/lib'],
    ["mv: cannot move 'a' to 'b': Device or resource busy", '/usr/lib'],
  ])('a write: %s', (output, path) => {
    expect(offline(output)).toMatchObject({ network: false, writes: [path] });
  });

  test('nothing, where the output says nothing of it', () => {
    expect(offline('1 test failed')).toEqual({ network: false, writes: [], notes: [] });
  });

  test('a sandbox that could not be made is told as such', () => {
    expect(offline("bwrap: Can't find source path /x: No such file or directory\n").notes[0]).toContain('nothing ran');
  });
});
