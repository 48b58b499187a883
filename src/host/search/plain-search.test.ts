import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { giveToUser } from '../../../test/call-as-user.ts';
import type { FindOutcome, GrepOutcome, GrepRequest } from '../../core/ports.ts';
import { createLocalSearch } from './local-search.ts';
import { createPlainSearch } from './plain-search.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-plain-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const withRipgrep = createLocalSearch();
const plain = createPlainSearch();

function write(name: string, content: string | Uint8Array = 'needle\n'): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

function grepRequest(pattern: string, more: Partial<GrepRequest> = {}): GrepRequest {
  return {
    path: root,
    pattern,
    glob: null,
    contextLines: 0,
    ignoreCase: false,
    multiline: false,
    includeIgnored: false,
    maxResults: 100,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Both searches, which must agree; the answer is returned so that a test can say that it is none that is empty. */
async function bothGrep(pattern: string, more: Partial<GrepRequest> = {}): Promise<GrepOutcome> {
  const request = grepRequest(pattern, more);
  const [outcome, expected] = await Promise.all([plain.grep(request), withRipgrep.grep(request)]);
  expect(outcome).toEqual(expected);
  return outcome;
}

async function bothFind(
  accepts: (path: string) => boolean = () => true,
  more: { readonly below?: string; readonly includeIgnored?: boolean; readonly maxResults?: number; readonly root?: string } = {},
): Promise<FindOutcome> {
  const request = { root, accepts, includeIgnored: false, maxResults: 100, signal: new AbortController().signal, ...more };
  const [outcome, expected] = await Promise.all([plain.find(request), withRipgrep.find(request)]);
  expect(outcome).toEqual(expected);
  return outcome;
}

function names({ files }: GrepOutcome): string[] {
  return files.map(({ path }) => path);
}

describe('a search in files finds what ripgrep finds:', () => {
  beforeEach(() => {
    write('b.ts', 'one needle\r\ntwo\r\nNEEDLE three\r\n');
    write('a/c.ts', 'x\nneedle\nneedle needle\ny\nz\nq\nneedle');
    write('a-b/d.js', 'α needle ω\n\n\tfoo(bar)\nstraße STRASSE ſ K\n');
    write('we\nird.txt', 'needle\n');
    write(' lead ing.txt', 'needle\n');
    write('-n.txt', '-e needle\n');
    write('.env', 'needle=1\n');
    write('empty.txt', '');
    write('lines.txt', 'one two\nthree one\nx\none\ntwo one\ntwo\n\n\nend');
    write('blank.txt', '\n\n\n');
    write('punctuation.txt', 'a[0] = {1}; x|y \\ "q" $HOME ^caret 100% a.b a-b a_b\n');
    for (let i = 0; i < 20; i++) write(`many/f${i}.txt`, `HIT ${i}\na\nb\nHIT again\nHIT third\nc\n`);
  });

  test.each<[string, Partial<GrepRequest>]>([
    ['needle', {}],
    ['needle', { contextLines: 1 }],
    ['NEEDLE', { ignoreCase: true, contextLines: 2 }],
    ['needle', { countsOnly: true, maxResults: 3 }],
    ['HIT', { maxResults: 1 }],
    ['HIT', { maxResults: 7, contextLines: 2 }],
    ['HIT', { maxResults: 30, contextLines: 5 }],
    ['one\\ntwo', { multiline: true }],
    ['one\\ntwo', { multiline: true, countsOnly: true }],
    ['nothing at all', { contextLines: 3 }],
  ])('%j %j', async (pattern, more) => {
    const outcome = await bothGrep(pattern, more);
    expect(outcome.fault).toBeNull();
    expect(outcome.totalMatches > 0).toBe(!pattern.startsWith('nothing'));
  });

  test('one file alone, whatever the glob', async () => {
    const path = join(root, 'a/c.ts');
    expect(await bothGrep('needle', { path, contextLines: 1, glob: '*.js' })).toMatchObject({ totalMatches: 3, notes: [] });
    expect(await bothGrep('needle', { path, countsOnly: true })).toMatchObject({ totalFiles: 1 });
  });
});

describe('files that are not plain UTF-8', () => {
  beforeEach(() => {
    write('1-latin.txt', Buffer.from('needle caf\xe9\nneedle\xe9\n', 'latin1'));
    write('2-bom.txt', '\ufeffneedle with a mark\n');
    write('3-utf-16le.txt', Buffer.from('\ufeffneedle in sixteen\r\nx\n', 'utf16le'));
    write('4-utf-16be.txt', Buffer.from('\ufeffneedle in sixteen\n', 'utf16le').swap16());
    write('5-nul-at-900.txt', Buffer.from(`needle first\n${'a'.repeat(887)}\0b\nneedle after\n`));
    write('6-binary', Buffer.from('abc\0\x01\nneedle\n'));
    write('7-other-binary', Buffer.from('abc\0\x01\nnothing\n'));
  });

  test.each<Partial<GrepRequest>>([{}, { countsOnly: true }])('are searched, binaries not: %j', async (more) => {
    const outcome = await bothGrep('^needle', more);
    expect(names(outcome)).toEqual(['1-latin.txt', '2-bom.txt', '3-utf-16le.txt', '4-utf-16be.txt', '5-nul-at-900.txt']);
    expect(outcome.filesSearched).toBe(7);
    expect(outcome.notes[1]).toBe('Skipped as binary, though they match: 1 file.');
  });

  test('long lines are cut around their match', async () => {
    write('long.txt', `${'é'.repeat(3000)}needle${'😀'.repeat(3000)}\r\nx\n${'x'.repeat(3990)}needle\n`);
    const outcome = await bothGrep('needle', { glob: 'long.txt', contextLines: 1 });
    expect(outcome.files[0]?.lines.map(({ pieceOf }) => pieceOf?.chars)).toEqual([9006, undefined, undefined]);
  });
});

test('names are listed as ripgrep lists them, from a folder behind a link too', async () => {
  for (const name of ['a.js', 'dist/b.js', 'away/deep/c.js', 'd.js']) write(name);
  write('.gitignore', 'dist\n');
  symlinkSync('away', join(root, 'link'));
  for (const name of ['a.js', 'd.js']) utimesSync(join(root, name), 3_000_000_000, 3_000_000_000);
  utimesSync(join(root, 'away/deep/c.js'), 3_000_000_001, 3_000_000_001);
  const isScript = (path: string): boolean => path.endsWith('.js');
  expect(await bothFind(isScript, { maxResults: 2 })).toMatchObject({ files: ['away/deep/c.js', 'a.js'], total: 3 });
  expect(await bothFind(isScript, { includeIgnored: true })).toMatchObject({ total: 4 });
  expect((await bothFind(isScript, { below: 'link/deep' })).files).toEqual(['link/deep/c.js']);
});

describe('an end before the end', () => {
  const pathological = '(a+)+$';
  beforeEach(() => {
    write('1.txt', 'aaaa\n');
    write('2.txt', `${'a'.repeat(60)}b\n`);
    write('3.txt', 'aaaa\n');
  });

  test('a pattern that takes for ever ends at the deadline, with what was found, and the next search is whole', async () => {
    const { files, stoppedBy, filesSearched } = await plain.grep(grepRequest(pathological, { timeoutMs: 3000 }));
    expect({ files, stoppedBy, filesSearched }).toEqual({
      files: [{ path: '1.txt', matches: 1, lines: [{ line: 1, text: 'aaaa', matchStart: 0 }] }],
      stoppedBy: 'deadline',
      filesSearched: 2,
    });
    expect(names(await bothGrep('a+$'))).toEqual(['1.txt', '3.txt']);
  });

  test('an abort ends it and throws', async () => {
    const abort = new AbortController();
    const search = plain.grep(grepRequest(pathological, { signal: abort.signal }));
    setTimeout(() => abort.abort(), 200);
    await expect(search).rejects.toThrow('abort');
    await expect(plain.grep(grepRequest('a', { signal: AbortSignal.abort() }))).rejects.toThrow('abort');
    await expect(
      plain.find({ root, accepts: () => true, includeIgnored: false, maxResults: 1, signal: AbortSignal.abort() }),
    ).rejects.toThrow('abort');
  });

  test('a list that stops at the deadline says so', async () => {
    const { signal } = new AbortController();
    const hurried = createPlainSearch({ findTimeoutMs: 1 });
    const { total, notes } = await hurried.find({ root, accepts: () => true, includeIgnored: false, maxResults: 9, signal });
    expect(total).toBe(0);
    expect(notes.at(-1)).toBe('Stopped after 0.001 s: this list is partial.');
  });

  test('a file in which JavaScript gives up is named, and the others are searched', async () => {
    write('0-long.txt', 'ab'.repeat(10_000_000));
    const outcome = await plain.grep(grepRequest('(a|b)*a$'));
    expect(names(outcome)).toEqual(['1.txt', '3.txt']);
    expect(outcome.notes[1]).toBe('Skipped, too much for this pattern without ripgrep: 0-long.txt.');
  });

  test('a folder that is not there is an error', async () => {
    await expect(plain.grep(grepRequest('a', { path: join(root, 'nope') }))).rejects.toThrow('ENOENT');
    const { signal } = new AbortController();
    const request = { root: join(root, 'nope'), accepts: () => true, includeIgnored: false, maxResults: 9, signal };
    await expect(plain.find(request)).rejects.toThrow('ENOENT');
  });
});

test('what may not be read is named in a note, and the rest is searched', () => {
  write('ok/a.txt');
  write('locked/b.txt');
  write('secret.txt');
  giveToUser(root);
  chmodSync(join(root, 'locked'), 0);
  chmodSync(join(root, 'secret.txt'), 0);
  const { found, listed } = asUser(`
    const search = createPlainSearch();
    const { signal } = new AbortController();
    const base = { includeIgnored: false, maxResults: 9, signal };
    const found = await search.grep({ ...base, path: root, pattern: 'needle', glob: null, contextLines: 0, timeoutMs: 20_000 });
    const listed = await search.find({ ...base, root, accepts: () => true });
    console.log(JSON.stringify({ found, listed }));
  `) as { readonly found: GrepOutcome; readonly listed: FindOutcome };
  chmodSync(join(root, 'locked'), 0o755);
  expect(names(found)).toEqual(['ok/a.txt']);
  expect(found.notes[1]).toBe('Skipped, not readable: locked, secret.txt.');
  expect(listed.files.toSorted()).toEqual(['ok/a.txt', 'secret.txt']);
  expect(listed.notes[1]).toBe('Skipped, not readable: locked.');
});

/** What a script prints that runs as a user who does not pass every permission bit. */
function asUser(script: string): unknown {
  const module = new URL('./plain-search.ts', import.meta.url).href;
  const code = `import { createPlainSearch } from '${module}'; const root = ${JSON.stringify(root)}; ${script}`;
  const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    ...identity,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
