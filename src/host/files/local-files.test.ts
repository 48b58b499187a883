import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shortHash } from '../../core/hash.ts';
import { FileConflict } from '../../core/ports.ts';
import { createLocalFiles } from './local-files.ts';

let folder: string;
const files = createLocalFiles({ tracksSeen: true });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('reading', () => {
  test('kinds, sizes and modes', async () => {
    writeFileSync(at('a'), 'abc', { mode: 0o640 });
    mkdirSync(at('d'));
    execFileSync('mkfifo', [at('p')]);
    symlinkSync('a', at('l'));
    expect(await files.stat(at('a'))).toEqual({ kind: 'file', sizeBytes: 3, mtimeMs: statSync(at('a')).mtimeMs, mode: 0o640 });
    expect((await files.stat(at('d'))).kind).toBe('directory');
    expect((await files.stat(at('p'))).kind).toBe('fifo');
    expect((await files.stat(at('l'))).kind).toBe('file');
    expect((await files.stat('/dev/null')).kind).toBe('device');
    expect([...(await files.list(folder))].toSorted()).toEqual(['a', 'd', 'l', 'p']);
    await expect(files.stat(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('ranges', async () => {
    writeFileSync(at('a'), 'abcdef');
    const read = async (start: number, length: number): Promise<string> =>
      Buffer.from(await files.read(at('a'), { start, length })).toString();
    expect([await read(0, 3), await read(4, 10), await read(6, 1), await read(100, 5), await read(2, 0)]).toEqual([
      'abc',
      'ef',
      '',
      '',
      '',
    ]);
    expect(Buffer.from(await files.read(at('a'))).toString()).toBe('abcdef');
  });

  test('a FIFO, a device and a folder are errors and never waited for', async () => {
    execFileSync('mkfifo', [at('p')]);
    await expect(files.read(at('p'))).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(files.read('/dev/zero')).rejects.toMatchObject({ code: 'EINVAL' });
    await expect(files.read(folder)).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('`..` is taken by its word, also behind a link', async () => {
    mkdirSync(at('deep/er'), { recursive: true });
    symlinkSync('deep/er', at('link'));
    writeFileSync(at('x'), 'here');
    writeFileSync(at('deep/x'), 'there');
    expect(Buffer.from(await files.read(`${folder}/link/../x`)).toString()).toBe('here');
    await files.replace(`${folder}/link/../x`, bytes('new'), 'any');
    expect([readFileSync(at('x'), 'utf8'), readFileSync(at('deep/x'), 'utf8')]).toEqual(['new', 'there']);
  });
});

describe('replacing', () => {
  test('gives the version of what was written', async () => {
    expect(await files.replace(at('a'), bytes('one'), 'absent')).toBe(shortHash('one'));
    expect(await files.replace(at('a'), bytes('two'), shortHash('one'))).toBe(shortHash('two'));
    expect(readFileSync(at('a'), 'utf8')).toBe('two');
  });

  test.each([
    ['another version', shortHash('other')],
    ['none', 'absent'],
  ])('fails where %s was expected, and leaves the file and no other', async (_name, expected) => {
    writeFileSync(at('a'), 'old');
    await expect(files.replace(at('a'), bytes('new'), expected)).rejects.toThrow(FileConflict);
    await expect(files.replace(at('none'), bytes('new'), shortHash('old'))).rejects.toThrow(FileConflict);
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(at('a'), 'utf8')).toBe('old');
  });

  test('of two at the same time that expect the same, one fails', async () => {
    for (let round = 0; round < 20; round++) {
      writeFileSync(at('a'), 'old');
      const writes = await Promise.allSettled(
        ['x', 'y', 'z'].map((text) => files.replace(at('a'), bytes(text), shortHash('old'))),
      );
      expect(writes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    }
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('one that fails does not stop the next', async () => {
    mkdirSync(at('d'));
    await expect(files.replace(at('d'), bytes('x'), 'any')).rejects.toMatchObject({ code: 'EISDIR' });
    await files.replace(at('a'), bytes('x'), 'any');
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'd']);
  });
});

describe('a write that fails', () => {
  test('removes the folders that it made, and no others', async () => {
    mkdirSync(at('own'));
    await expect(files.replace(at('own/new/deep/a'), bytes('x'), shortHash('old'))).rejects.toThrow(FileConflict);
    const changes = [
      { path: at('p/q/a'), bytes: bytes('x'), expect: 'absent' },
      { path: at('p/r/b'), bytes: bytes('x'), expect: 'absent' },
      { path: at('p/c'), bytes: bytes('x'), expect: shortHash('old') },
    ] as const;
    await expect(files.transact(changes)).rejects.toThrow(FileConflict);
    expect(readdirSync(folder, { recursive: true })).toEqual(['own']);
  });
});

describe('the first look after a kill', () => {
  const dead = { pid: 999_999_999, startTime: '1' };
  const restarted = (): ReturnType<typeof createLocalFiles> =>
    createLocalFiles({ tracksSeen: false, journalFolder: at('journal') });
  /** A committed write of `a` that was killed in the middle. */
  const leave = (current: string, old: string, next: string): void => {
    const [target, temp, backup] = [at('a'), at('.a.tmp'), at('.a.old')];
    writeFileSync(target, current);
    writeFileSync(temp, next);
    writeFileSync(backup, old);
    mkdirSync(at('journal'));
    const write = { target, temp, backup, isInPlace: true, old: shortHash(old), new: shortHash(next), inode: null };
    writeFileSync(at('journal/999999999-1.json'), JSON.stringify({ ...dead, state: 'committed', writes: [write] }));
  };

  test.each([
    ['stat', async () => (await restarted().stat(at('a'))).sizeBytes],
    ['read', async () => (await restarted().read(at('a'))).length],
    ['list', async () => (await restarted().list(folder)).includes('.a.tmp') || readFileSync(at('a')).length],
  ])('%s waits until a half write is finished', async (_name, look) => {
    leave('NEWn', 'oldn', 'NEW TEXT');
    expect(await look()).toBe(8);
    expect([readFileSync(at('a'), 'utf8'), readdirSync(folder).toSorted()]).toEqual(['NEW TEXT', ['a', 'journal']]);
    expect(readdirSync(at('journal'))).toEqual([]);
  });

  test.each(['work of a person', '', 'oldn and more of it', 'NEW WORK'])(
    'leaves %j, which no write of ours made',
    async (text) => {
      leave(text, 'oldn', 'NEW TEXT');
      expect(Buffer.from(await restarted().read(at('a'))).toString()).toBe(text);
      expect([readdirSync(folder).toSorted(), readdirSync(at('journal'))]).toEqual([['a', 'journal'], []]);
    },
  );
});

test('what was seen is known by every name of a file', () => {
  writeFileSync(at('a'), 'x');
  symlinkSync('a', at('l'));
  expect(files.seen(at('a'))).toBeNull();
  files.noteSeen(at('l'), 'v1');
  expect([files.seen(at('a')), files.seen(`${folder}/./x/../a`)]).toEqual(['v1', 'v1']);
  files.noteSeen(at('not/there'), 'v2');
  expect(files.seen(`${folder}/not/./there`)).toBe('v2');
});
