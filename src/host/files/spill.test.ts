import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SpillStore } from './spill.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-spill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a text is kept piece by piece, for this user only', async () => {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  }
  const path = await new SpillStore(join(folder, 'a', 'b')).keep(pieces());
  expect(readFileSync(path, 'utf8')).toBe('one two');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700);
});

test('what is discarded is gone', async () => {
  const file = await new SpillStore(folder).create();
  await file.write(Buffer.from('x'));
  expect(file.isCut).toBe(false);
  await file.discard();
  expect(existsSync(file.path)).toBe(false);
});
