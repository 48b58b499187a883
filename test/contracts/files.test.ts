import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shortHash } from '../../src/core/hash.ts';
import { type Backend, type FileAccess, FileConflict } from '../../src/index.ts';
import { BACKENDS, type OpenedBackend } from './open-backends.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(Object.entries(BACKENDS))('the files of %s', (_name, open) => {
  let opened: OpenedBackend;
  let backend: Backend;
  let files: FileAccess;
  const at = (name: string): string => join(backend.cwd, name);
  const textOf = async (name: string): Promise<string> => Buffer.from(await files.read(at(name))).toString('utf8');
  const codeOf = (done: Promise<unknown>): Promise<string> =>
    done.then(
      () => 'done',
      (thrown: { code?: string; name: string }) => thrown.code ?? thrown.name,
    );

  beforeEach(async () => {
    opened = await open();
    ({ backend } = opened);
    ({ files } = backend);
    await files.transact([
      { path: at('a.txt'), bytes: bytes('alpha\n'), expect: 'absent' },
      { path: at('sub/b.txt'), bytes: bytes('beta\n'), expect: 'absent' },
    ]);
  });
  afterEach(() => opened.close());

  test('a file is read whole or in part, and nothing stands behind its end', async () => {
    expect(await textOf('a.txt')).toBe('alpha\n');
    const parts = [
      { start: 1, length: 3 },
      { start: 4, length: 10 },
      { start: 60, length: 5 },
    ].map(async (range) => Buffer.from(await files.read(at('a.txt'), range)).toString('utf8'));
    expect(await Promise.all(parts)).toEqual(['lph', 'a\n', '']);
  });

  test('what is there says what it is', async () => {
    expect(await files.stat(at('a.txt'))).toMatchObject({ kind: 'file', sizeBytes: 6, mode: 0o644 });
    expect(await files.stat(at('sub'))).toMatchObject({ kind: 'directory' });
    expect((await files.list(backend.cwd)).toSorted()).toEqual(['a.txt', 'sub']);
    expect(await files.list(at('sub'))).toEqual(['b.txt']);
  });

  test('what is not there, or is something else, has the code of the system', async () => {
    expect({
      readMissing: await codeOf(files.read(at('no.txt'))),
      readFolder: await codeOf(files.read(at('sub'))),
      readBelowFile: await codeOf(files.read(at('a.txt/x'))),
      statMissing: await codeOf(files.stat(at('no/no.txt'))),
      statBelowFile: await codeOf(files.stat(at('a.txt/x'))),
      listMissing: await codeOf(files.list(at('no'))),
      listFile: await codeOf(files.list(at('a.txt'))),
      writeFolder: await codeOf(files.replace(at('sub'), bytes('x'), 'any')),
      writeBelowFile: await codeOf(files.replace(at('a.txt/x'), bytes('x'), 'any')),
    }).toEqual({
      readMissing: 'ENOENT',
      readFolder: 'EISDIR',
      readBelowFile: 'ENOTDIR',
      statMissing: 'ENOENT',
      statBelowFile: 'ENOTDIR',
      listMissing: 'ENOENT',
      listFile: 'ENOTDIR',
      writeFolder: 'EISDIR',
      writeBelowFile: 'ENOTDIR',
    });
  });

  test('a write makes the folders that it needs, and its version is the hash of what was written', async () => {
    const version = await files.replace(at('new/deep/c.txt'), [bytes('in '), bytes('pieces')], 'absent');
    expect(version).toBe(shortHash(bytes('in pieces')));
    expect(await textOf('new/deep/c.txt')).toBe('in pieces');
  });

  test('a write that expected something else changes nothing', async () => {
    await expect(files.replace(at('a.txt'), bytes('x'), 'absent')).rejects.toThrow(FileConflict);
    await expect(files.replace(at('a.txt'), bytes('x'), shortHash('other'))).rejects.toThrow(FileConflict);
    await expect(files.replace(at('no.txt'), bytes('x'), shortHash('alpha\n'))).rejects.toThrow(FileConflict);
    expect([await textOf('a.txt'), await codeOf(files.stat(at('no.txt')))]).toEqual(['alpha\n', 'ENOENT']);
    await files.replace(at('a.txt'), bytes('next'), shortHash('alpha\n'));
    expect(await textOf('a.txt')).toBe('next');
  });

  test('of two writes that expect the same version one wins', async () => {
    const expected = shortHash('alpha\n');
    const writes = ['one', 'two'].map((text) => files.replace(at('a.txt'), bytes(text), expected));
    const ends = await Promise.allSettled(writes);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(['one', 'two'][ends.findIndex(({ status }) => status === 'fulfilled')]).toBe(await textOf('a.txt'));
  });

  test('several changes come all or none', async () => {
    const move = [
      { path: at('sub/b.txt'), bytes: null, expect: shortHash('beta\n') },
      { path: at('moved/b.txt'), bytes: bytes('beta\n'), expect: 'absent', like: at('sub/b.txt') },
    ] as const;
    const conflict = { path: at('a.txt'), bytes: bytes('x'), expect: 'absent' } as const;
    await expect(files.transact([...move, conflict])).rejects.toThrow(FileConflict);
    expect([await textOf('sub/b.txt'), await codeOf(files.stat(at('moved/b.txt')))]).toEqual(['beta\n', 'ENOENT']);
    await files.transact(move);
    expect([await codeOf(files.stat(at('sub/b.txt'))), await textOf('moved/b.txt')]).toEqual(['ENOENT', 'beta\n']);
    expect(await files.stat(at('sub'))).toMatchObject({ kind: 'directory' });
  });

  test('bytes that were given and bytes that were got are the caller’s own', async () => {
    const given = bytes('mine');
    await files.replace(at('a.txt'), given, 'any');
    given[0] = 0;
    const got = await files.read(at('a.txt'));
    got[1] = 0;
    expect(await textOf('a.txt')).toBe('mine');
  });

  test('what was seen is known by any spelling of its path', () => {
    expect([files.tracksSeen, files.seen(at('a.txt'))]).toEqual([true, null]);
    files.noteSeen(at('sub/../a.txt'), 'v1');
    expect([files.seen(at('a.txt')), files.seen(at('sub/b.txt'))]).toEqual(['v1', null]);
  });

  test('a path leads where its words say, also where nothing is yet', async () => {
    expect(await files.realPath(at('sub/../no/../a.txt'))).toBe(at('a.txt'));
    expect(await files.realPath(`${at('later/x.txt')}/`)).toBe(at('later/x.txt'));
    expect(await files.realPath(dirname(backend.cwd))).toBe(dirname(backend.cwd));
  });

  test('a copy of the port with one function replaced works', async () => {
    const copy: FileAccess = { ...files, list: async () => ['replaced'] };
    expect([await copy.list('/'), (await copy.read(at('a.txt'))).length]).toEqual([['replaced'], 6]);
  });

  test('long output is kept where it can be read', async () => {
    const path = await backend.outputs.keep(
      (async function* () {
        yield bytes('long ');
        yield bytes('output');
      })(),
    );
    expect(path.startsWith(`${backend.outputs.folder}/`)).toBe(true);
    expect(Buffer.from(await files.read(path)).toString('utf8')).toBe('long output');
  });
});
