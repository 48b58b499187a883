import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { complaintNotes, startFolder } from './search-scope.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-scope-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a search starts below a link only where the pattern names one', async () => {
  mkdirSync(join(root, 'real/deep'), { recursive: true });
  mkdirSync(join(root, 'vendor'));
  symlinkSync('real', join(root, 'link'));
  symlinkSync('../real', join(root, 'vendor/link'));
  expect(await startFolder(root, '', false)).toBe('./');
  expect(await startFolder(root, 'real/deep', false)).toBe('./');
  expect(await startFolder(root, 'link/deep', false)).toBe('./link/deep/');
  expect(await startFolder(root, 'link', false)).toBe('./link/');
  expect(await startFolder(root, 'nowhere/link', false)).toBe('./');
  expect(await startFolder(root, 'vendor/link', false)).toBe('./');
  expect(await startFolder(root, 'vendor/link', true)).toBe('./vendor/link/');
});

test('complaints become sentences', () => {
  expect(complaintNotes('')).toEqual([]);
  expect(
    complaintNotes(
      [
        'rg: ./secret.txt: Permission denied (os error 13)',
        'rg: a: b.txt: Permission denied (os error 13)',
        'rg: ./gone: No such file or directory (os error 2)',
        'rg: ./x: Input/output error (os error 5)',
        "rg: ./.gitignore: line 1: error parsing glob '[': unclosed character class",
      ].join('\n'),
    ),
  ).toEqual([
    'Skipped, not readable: secret.txt, a: b.txt, gone and 1 more.',
    "The search complained: .gitignore: line 1: error parsing glob '[': unclosed character class.",
  ]);
});
