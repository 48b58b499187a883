import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realPathOf } from './real-path.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-real-')));
  mkdirSync(join(root, 'real/deep'), { recursive: true });
  writeFileSync(join(root, 'real/file'), '');
  symlinkSync('real', join(root, 'link'));
  symlinkSync('link/new/file', join(root, 'dangling'));
  symlinkSync('dangling', join(root, 'twice'));
  symlinkSync(join(root, 'nowhere'), join(root, 'absolute'));
  symlinkSync('y', join(root, 'x'));
  symlinkSync('x', join(root, 'y'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['real/file', 'real/file'],
  ['link/file', 'real/file'],
  ['link', 'real'],
  ['link/none/at/all', 'real/none/at/all'],
  ['dangling', 'real/new/file'],
  ['twice', 'real/new/file'],
  ['twice/below', 'real/new/file/below'],
  ['absolute/x', 'nowhere/x'],
  ['real/file/below', 'real/file/below'],
  ['real/deep/../../link/file', 'real/file'],
  ['none', 'none'],
])('%s leads to %s', async (path, expected) => {
  expect(await realPathOf(`${root}/${path}`)).toBe(join(root, expected));
});

test('a cycle of links is an error', async () => {
  await expect(realPathOf(join(root, 'x'))).rejects.toMatchObject({ code: 'ELOOP' });
  await expect(realPathOf(join(root, 'x/below'))).rejects.toMatchObject({ code: 'ELOOP' });
});

test('the root is its own', async () => {
  expect(await realPathOf('/')).toBe('/');
  expect(await realPathOf('/no-such-folder-here')).toBe('/no-such-folder-here');
});
