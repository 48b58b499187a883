import { describe, expect, test } from 'vitest';
import { denialsIn } from './denials.ts';

const offline = (output: string) =>
  denialsIn(output, { cwd: '/usr/lib', hasNetwork: false, mayWrite: (path) => path !== '/', isHidden: () => false });

describe('what a command was kept from', () => {
  test.each([
    ['npm error code EAI_AGAIN'],
    ['curl: (6) Could not resolve host: example.com'],
    ['connect: Network is unreachable'],
    ['Temporary failure in name resolution'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432'],
    ['curl: (7) Failed to connect to 127.0.0.1 port 80 after 0 ms'],
    ['ConnectionError: [Errno 111] Connection refused'],
    ['java.net.UnknownHostException: example.com'],
    ['dial tcp: lookup proxy.golang.org: no such host'],
  ])('the network: %s', (output) => {
    expect(offline(output)).toMatchObject({ network: true, writes: [] });
    expect(denialsIn(output, { cwd: '/', hasNetwork: true, mayWrite: () => true, isHidden: () => false }).network).toBe(false);
  });

  test.each([
    ['/bin/bash: line 1: /etc/wield-new: Read-only file system', '/etc'],
    ["touch: cannot touch '/usr/bin/x y': Read-only file system", '/usr/bin'],
    ["Error: EROFS: read-only file system, open '/etc/hosts'", '/etc/hosts'],
    ["OSError: [Errno 30] Read-only file system: '/etc/new/deep/x'", '/etc'],
    ['cp: cannot create regular file "x": Read-only file system', '/usr/lib'],
    ['open /opt/x: read-only file system', '/opt'],
    ['panic: mkdir /opt/x: read-only file system', '/opt'],
    ["mv: cannot move 'a' to 'b': Device or resource busy", '/usr/lib'],
  ])('a write: %s', (output, path) => {
    expect(offline(output)).toMatchObject({ network: false, writes: [path] });
  });

  test('a write to what cannot be opened is told, and not offered', () => {
    const denied = denialsIn("touch: cannot touch '/etc/wield-new': Read-only file system", {
      cwd: '/',
      hasNetwork: false,
      mayWrite: () => false,
      isHidden: () => false,
    });
    expect(denied).toEqual({
      network: false,
      writes: [],
      notes: [expect.stringContaining('/etc/wield-new, which cannot be opened to a command')],
    });
  });

  test('the daemon of containers', () => {
    const { notes, writes } = offline(
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
    );
    expect({ notes, writes }).toEqual({ notes: [expect.stringContaining('hides the sockets of this machine')], writes: [] });
  });

  test('nothing, where the output says nothing of it', () => {
    expect(offline('1 test failed')).toEqual({ network: false, writes: [], notes: [] });
  });

  test('a sandbox that could not be made is told as such', () => {
    expect(offline("bwrap: Can't find source path /x: No such file or directory\n").notes[0]).toContain('nothing ran');
  });
});
