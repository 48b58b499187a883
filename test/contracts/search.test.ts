import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, FindRequest, GrepRequest } from '../../src/index.ts';
import { BACKENDS, type OpenedBackend } from './open-backends.ts';

/** A project with what searches stumble over. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  '.gitignore': 'build/\n*.log\n!keep.log\n',
  'a.ts': 'const one = 1;\nconst two = 2;\n\nexport { one, two };\n',
  'b.txt': 'First\r\nsecond line\r\nthird\r\n',
  'src/deep/c.ts': 'one\n'.repeat(5),
  'src/d.md': 'Ökonomie und Straße\n',
  'src/wide.txt': Buffer.from('\ufeffone in sixteen bits\n', 'utf16le'),
  'src/binary.bin': Buffer.from('one\0two\n'),
  'build/out.ts': 'one\n',
  'some.log': 'one\n',
  'keep.log': 'one\n',
  'node_modules/pkg/index.js': 'one\n',
  '.hidden': 'one\n',
};
const NAMES = Object.keys(FILES);

describe.each(Object.entries(BACKENDS))('the search of %s', (_name, open) => {
  let opened: OpenedBackend;
  let backend: Backend;

  beforeAll(async () => {
    opened = await open();
    ({ backend } = opened);
    // One after the other, so that each is newer than the one before.
    for (const [name, content] of Object.entries(FILES)) {
      await backend.files.replace(join(backend.cwd, name), typeof content === 'string' ? Buffer.from(content) : content, 'any');
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
  });
  afterAll(() => opened.close());

  const find = (request: Partial<FindRequest> = {}) =>
    backend.search.find({
      root: backend.cwd,
      accepts: () => true,
      includeIgnored: false,
      maxResults: 100,
      signal: new AbortController().signal,
      ...request,
    });
  const grep = (pattern: string, request: Partial<GrepRequest> = {}) =>
    backend.search.grep({
      path: backend.cwd,
      pattern,
      glob: null,
      contextLines: 0,
      ignoreCase: false,
      multiline: false,
      includeIgnored: false,
      maxResults: 100,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      ...request,
    });
  const linesOf = (outcome: Awaited<ReturnType<typeof grep>>): string[] =>
    outcome.files.flatMap(({ path, lines }) =>
      lines.map(({ line, text, matchStart }) => `${path}:${line}:${matchStart ?? '-'} ${text}`),
    );

  test('files are found newest first, without what is excluded', async () => {
    const shown = NAMES.filter((name) => !/^(?:build|node_modules)\/|^some\.log/.test(name)).toReversed();
    const { files, total, notes } = await find();
    expect({ files, total }).toEqual({ files: shown, total: shown.length });
    expect(notes).toEqual([
      'Not looked at: .git, .hg, .svn, node_modules, vendor, .idea, __pycache__ and the like, what ignore files exclude (include_ignored looks there too), and what links lead to.',
    ]);
  });

  test('with what is ignored, all of them', async () => {
    expect((await find({ includeIgnored: true })).files).toEqual(NAMES.toReversed());
  });

  test('those over the limit are counted, and a choice is by the path from the root', async () => {
    const asked: string[] = [];
    const accepts = (path: string): boolean => asked.push(path) > 0 && path.endsWith('.ts');
    expect(await find({ accepts, maxResults: 1 })).toMatchObject({ files: ['src/deep/c.ts'], total: 2 });
    expect(asked).toContain('src/deep/c.ts');
  });

  test('a search can begin below its root', async () => {
    const { files } = await find({ below: 'src/deep', accepts: (path) => path.startsWith('src/deep/') });
    expect(files).toEqual(['src/deep/c.ts']);
    expect((await find({ below: 'nowhere', accepts: (path) => path.startsWith('nowhere/') })).files).toEqual([]);
  });

  test('lines are found with their place, sorted by path, in any encoding with a mark', async () => {
    const outcome = await grep('\\bone\\b');
    expect(linesOf(outcome)).toEqual([
      '.hidden:1:0 one',
      'a.ts:1:6 const one = 1;',
      'a.ts:4:9 export { one, two };',
      'keep.log:1:0 one',
      ...[1, 2, 3, 4, 5].map((line) => `src/deep/c.ts:${line}:0 one`),
      'src/wide.txt:1:0 one in sixteen bits',
    ]);
    expect(outcome).toMatchObject({ totalMatches: 10, totalFiles: 5, filesSearched: 9, stoppedBy: null, fault: null });
    expect(outcome.notes.join('\n')).toContain('Skipped as binary, though they match: 1 file.');
  });

  test('context is around a match, and line ends are not part of a line', async () => {
    expect(linesOf(await grep('second', { contextLines: 1 }))).toEqual([
      'b.txt:1:- First',
      'b.txt:2:0 second line',
      'b.txt:3:- third',
    ]);
  });

  test('letter case matters unless it is said not to', async () => {
    expect(linesOf(await grep('first'))).toEqual([]);
    expect(linesOf(await grep('first', { ignoreCase: true }))).toEqual(['b.txt:1:0 First']);
    expect(linesOf(await grep('ökonomie', { ignoreCase: true }))).toEqual(['src/d.md:1:0 Ökonomie und Straße']);
  });

  test('a glob chooses files by name or by path', async () => {
    expect((await grep('one', { glob: '*.ts' })).files.map(({ path }) => path)).toEqual(['a.ts', 'src/deep/c.ts']);
    expect((await grep('one', { glob: 'src/**' })).files.map(({ path }) => path)).toEqual(['src/deep/c.ts', 'src/wide.txt']);
    expect((await grep('one', { glob: '!*.ts' })).files.map(({ path }) => path)).toEqual(['.hidden', 'keep.log', 'src/wide.txt']);
    expect((await grep('one', { glob: '{a' })).fault).toMatch(/unclosed alternate group/);
  });

  test('a match can cross lines where it is said to', async () => {
    expect(linesOf(await grep('1;\\nconst'))).toEqual([]);
    const { files } = await grep('1;\\nconst', { multiline: true });
    expect(files.map(({ path, lines }) => [path, lines.map(({ line }) => line)])).toEqual([['a.ts', [1, 2]]]);
  });

  test('one file can be searched, and counts alone are to be had', async () => {
    const path = join(backend.cwd, 'src/deep/c.ts');
    expect(await grep('one', { path })).toMatchObject({ totalMatches: 5, totalFiles: 1, files: [{ path: 'c.ts', matches: 5 }] });
    const counts = await grep('one', { countsOnly: true, glob: '*.ts' });
    expect(counts.files).toEqual([
      { path: 'a.ts', matches: 2, lines: [] },
      { path: 'src/deep/c.ts', matches: 5, lines: [] },
    ]);
  });

  test('of many matches the first are shown and all are counted', async () => {
    const outcome = await grep('one', { glob: '*.ts', maxResults: 3 });
    expect([outcome.totalMatches, outcome.totalFiles, outcome.files.map(({ path }) => path)]).toEqual([
      7,
      2,
      ['a.ts', 'src/deep/c.ts'],
    ]);
  });

  test('a pattern that is none is told', async () => {
    expect((await grep('(one')).fault).toMatch(/unclosed group/);
  });

  test('no pattern runs for ever', async () => {
    await backend.files.replace(join(backend.cwd, 'trap.log'), Buffer.from(`${'a'.repeat(40)}!\n`), 'any');
    const outcome = await grep('^(a+)+$', { includeIgnored: true, timeoutMs: 300 });
    // A matcher without backtracking is through at once; any other one stops and says so.
    expect([null, 'deadline']).toContain(outcome.stoppedBy);
    expect(outcome.files).toEqual([]);
  });

  test('an interrupt ends a search', async () => {
    const signal = AbortSignal.abort();
    await expect(find({ signal })).rejects.toThrow();
    await expect(grep('one', { signal })).rejects.toThrow();
  });
});
