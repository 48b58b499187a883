import { expect, test } from 'vitest';
import { isVisible, mountOrder, renderMount, sealHidden, withPins } from './mount-plan.ts';

test('outer folders come first, of two for one path the later wins, and what changes nothing is left out', () => {
  const mounts = mountOrder([
    { kind: 'readable', path: '/home/me/work/.envrc' },
    { kind: 'writable', path: '/home/me/work' },
    { kind: 'hidden', path: '/home/me' },
    { kind: 'hidden', path: '/home' },
    { kind: 'readable', path: '/usr/lib' },
    { kind: 'writable', path: '/home/me/work/src' },
    { kind: 'pinned', path: '/home/me/work/.git' },
    { kind: 'readable', path: '/home/me/work/other' },
    { kind: 'writable', path: '/home/me/work/other' },
  ]);
  expect(mounts).toEqual([
    { kind: 'hidden', path: '/home' },
    { kind: 'writable', path: '/home/me/work' },
    { kind: 'readable', path: '/home/me/work/.envrc' },
    { kind: 'pinned', path: '/home/me/work/.git' },
  ]);
});

test('a secret is covered only where it would be seen', () => {
  const mounts = mountOrder([
    { kind: 'hidden', path: '/home' },
    { kind: 'readable', path: '/home/me/tools' },
  ]);
  expect([isVisible('/home/me/.ssh', mounts), isVisible('/home/me/tools/x', mounts), isVisible('/etc/shadow', mounts)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('what has gone in the meantime stops no command', () => {
  expect(renderMount({ kind: 'readable', path: '/a' })).toEqual(['--ro-bind-try', '/a', '/a']);
  expect(renderMount({ kind: 'private', path: '/tmp', source: '/tmp/ours' })).toEqual(['--bind', '/tmp/ours', '/tmp']);
});

test('folders around what is mounted are pinned where they could be renamed, and only there', () => {
  const mounts = mountOrder([
    { kind: 'hidden', path: '/home' },
    { kind: 'writable', path: '/home/me/work' },
    { kind: 'blank', path: '/home/me/work/a/b/host.sock' },
    { kind: 'readable', path: '/home/me/work/.husky' },
    { kind: 'private', path: '/home/me/work/.husky/_/x' },
  ]);
  expect(withPins(mounts, ['/home/me/work/c/link']).filter(({ kind }) => kind === 'pinned')).toEqual([
    { kind: 'pinned', path: '/home/me/work/a' },
    { kind: 'pinned', path: '/home/me/work/c' },
    { kind: 'pinned', path: '/home/me/work/a/b' },
  ]);
  expect(sealHidden(mounts)).toEqual(['--remount-ro', '/home']);
});
