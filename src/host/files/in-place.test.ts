import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isMixture, restoreInPlace, writeInPlace } from './in-place.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-in-place-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('a mixture of old and new', () => {
  test.each([
    ['the old content', 'abcd', 'abcd', 'WXYZ', true],
    ['the new content', 'WXYZ', 'abcd', 'WXYZ', true],
    ['new up to a byte', 'WXcd', 'abcd', 'WXYZ', true],
    ['grown', 'abYZ', 'ab', 'WXYZ', true],
    ['grown in part', 'abY', 'ab', 'WXYZ', true],
    ['grown and new up to a byte', 'WbYZ', 'ab', 'WXYZ', true],
    ['new, and not cut yet', 'WXcd', 'abcd', 'WX', true],
    ['cut', 'WX', 'abcd', 'WX', true],
    ['nothing of a file that was filled', '', '', 'WX', true],
    ['new after old, which is no order of ours', 'abYZ', 'abcd', 'WXYZ', false],
    ['a byte of somebody else', 'WXcQ', 'abcd', 'WXYZ', false],
    ['shorter than both', 'W', 'abcd', 'WX', false],
    ['longer than both', 'WXYZ+', 'abcd', 'WXYZ', false],
    ['emptied', '', 'abcd', 'WX', false],
  ])('%s', (_name, current, old, next, expected) => {
    expect(isMixture(bytes(current), bytes(old), bytes(next))).toBe(expected);
  });
});

test.each([
  ['longer', 'x'.repeat(10_000), 'y'.repeat(30_001)],
  ['shorter', 'x'.repeat(30_001), 'y'.repeat(10_000)],
  ['of the same length', 'x'.repeat(8192), 'y'.repeat(8192)],
])('what is written in place is new by all names, and old again when it is put back: a %s text', async (_name, old, next) => {
  const [path, twin] = [join(folder, 'a'), join(folder, 'b')];
  writeFileSync(path, old);
  linkSync(path, twin);
  await writeInPlace(path, bytes(next));
  expect(readFileSync(twin, 'utf8')).toBe(next);
  await restoreInPlace(path, bytes(old));
  expect(readFileSync(twin, 'utf8')).toBe(old);
});
