import { describe, expect, test } from 'vitest';
import type { GrepLine } from '../../core/ports.ts';
import { type FoundMatches, MatchCollector } from './match-collector.ts';

// What rg prints, in pieces. `end` may tell that the file has a NUL.
const begin = (path: string): string => `./${path}\0`;
const match = (line: number, text: string, start = 0): string => `${line}\x01${start + 1}\x01${text}\n`;
const context = (line: number, text: string): string => `${line}-${text}\n`;
const binary = (path: string): string => `./${path}: binary file matches (found "\\0" byte around offset 20)\n`;
const end = '\n';
const summary = (searched: number): string =>
  `\n9 matches\n9 matched lines\n1 files contained matches\n${searched} files searched\n0 bytes printed\n`;

interface Options {
  readonly maxMatches?: number;
  readonly contextLines?: number;
  readonly chunk?: number;
  readonly accepts?: (path: string) => boolean;
  readonly isText?: (path: string) => boolean;
}

function collect(printed: readonly (string | Buffer)[], { chunk = 65_536, ...options }: Options = {}): FoundMatches {
  const collector = new MatchCollector({
    maxMatches: 100,
    contextLines: 0,
    maxPerFile: 1000,
    accepts: () => true,
    isText: () => false,
    ...options,
  });
  const bytes = Buffer.concat(printed.map((piece) => Buffer.from(piece)));
  for (let at = 0; at < bytes.length; at += chunk) collector.add(bytes.subarray(at, at + chunk));
  collector.endSearch();
  return collector.finish();
}

const whole = (line: number, text: string, matchStart: number | null = 0): GrepLine => ({ line, text, matchStart });

describe('MatchCollector', () => {
  test('files are sorted by path, whatever order they come in', () => {
    const events = ['b', 'c', 'a'].flatMap((path) => [begin(path), match(1, path), end]);
    expect(collect([...events, summary(7)])).toEqual({
      files: ['a', 'b', 'c'].map((path) => ({ path, matches: 1, lines: [whole(1, path)] })),
      totalMatches: 3,
      totalFiles: 3,
      filesSearched: 7,
      notes: [],
    });
  });

  test('only the first matches by path are kept, and all are counted', () => {
    const many = (path: string) => [begin(path), ...Array.from({ length: 50 }, (_, i) => match(i + 1, path)), end];
    const found = collect([...many('c'), ...many('a'), ...many('b'), ...many('d'), summary(4)], { maxMatches: 60 });
    expect(found).toMatchObject({ totalMatches: 200, totalFiles: 4 });
    expect(found.files.map(({ path, lines }) => [path, lines.length])).toEqual([
      ['a', 50],
      ['b', 50],
    ]);
  });

  test('a file with many matches keeps as many lines as can be shown', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => match(i + 1, 'x'));
    const { files, totalMatches } = collect([begin('a'), ...lines, end], { maxMatches: 10 });
    expect(files[0]?.lines).toHaveLength(10);
    expect(totalMatches).toBe(50_000);
  });

  test('no context is kept of a match that is not', () => {
    const events = [
      begin('a'),
      match(1, 'm'),
      context(2, 'c'),
      match(3, 'm'),
      context(4, 'c'),
      match(5, 'm'),
      context(6, 'c'),
      end,
    ];
    const { files } = collect(events, { maxMatches: 2, contextLines: 1 });
    expect(files[0]?.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  test('offsets in bytes become offsets in the text', () => {
    const { files } = collect([begin('a'), match(1, 'é😀needle', 6), end]);
    expect(files[0]?.lines).toEqual([whole(1, 'é😀needle', 3)]);
  });

  test('a line that is no UTF-8 is read as far as it goes', () => {
    const line = Buffer.from([...Buffer.from('1\x012\x01'), 0xff, 0x61, 0x0a]);
    expect(collect([begin('a'), line, end]).files[0]?.lines).toEqual([whole(1, '\ufffda', 1)]);
  });

  test('a match over several lines gives each line, for which rg repeats the column', () => {
    const { files } = collect([begin('a'), match(4, 'one\r', 2), match(5, '', 2), match(6, 'two', 2), end]);
    expect(files[0]?.lines).toEqual([whole(4, 'one', 2), whole(5, '', 0), whole(6, 'two', 2)]);
  });

  test('of a long line the piece around its match is kept', () => {
    const { files } = collect([begin('a'), match(1, `${'a'.repeat(1_000_000)}b${'c'.repeat(1_000_000)}`, 1_000_000), end]);
    expect(files[0]?.lines).toEqual([
      {
        line: 1,
        text: `${'a'.repeat(1000)}b${'c'.repeat(2999)}`,
        matchStart: 1000,
        pieceOf: { start: 999_000, chars: 2_000_001 },
      },
    ]);
  });

  test('of a long line of other characters the piece starts and ends at whole ones', () => {
    const line = `${'é'.repeat(3000)}needle${'😀'.repeat(3000)}`;
    const [piece] = collect([begin('a'), match(1, line, 6000), end]).files[0]?.lines ?? [];
    const { text = '', matchStart, pieceOf } = piece ?? {};
    expect(text).toBe(`${'é'.repeat(500)}needle${'😀'.repeat(749)}`);
    expect([matchStart, pieceOf]).toEqual([500, { start: 2500, chars: line.length }]);
  });

  test('of a line that is too long to be held the start is kept, and what it lacks is counted', () => {
    const length = 17 * 1024 * 1024;
    const { files, totalMatches } = collect([begin('a'), match(1, 'a'.repeat(length)), match(2, 'b'), end]);
    expect(files[0]?.lines).toEqual([
      { line: 1, text: 'a'.repeat(4000), matchStart: 0, pieceOf: { start: 0, chars: length } },
      whole(2, 'b'),
    ]);
    expect(totalMatches).toBe(2);
  });

  test('binary files are told of and not counted, also where lines came before', () => {
    expect(collect([begin('a'), match(1, 'x'), binary('a'), end, binary('b'), summary(2)])).toEqual({
      files: [],
      totalMatches: 0,
      totalFiles: 0,
      filesSearched: 2,
      notes: ['Skipped as binary, though they match: 2 files.'],
    });
  });

  test('a text with a NUL is handed out to be searched again', () => {
    const collector = new MatchCollector({
      maxMatches: 9,
      contextLines: 0,
      maxPerFile: 9,
      accepts: () => true,
      isText: (path) => path === 'log',
    });
    collector.add(Buffer.from(binary('log') + binary('img') + summary(5)));
    expect(collector.endSearch()).toEqual(['log']);
    collector.add(Buffer.from(begin('log') + match(3, 'x\0y') + summary(1)));
    expect(collector.endSearch()).toEqual([]);
    expect(collector.finish()).toMatchObject({
      files: [{ path: 'log', lines: [whole(3, 'x\0y')] }],
      filesSearched: 5,
      notes: ['Skipped as binary, though they match: 1 file.'],
    });
  });

  test('paths and lines that look like something else are read for what they are', () => {
    const odd = 'a\n5:1:x\n\n7 files searched';
    const printed = [
      begin(odd),
      match(1, ''),
      match(2, './b\0'),
      match(3, '--'),
      end,
      binary('c\nd'),
      end,
      begin('e'),
      match(1, '7'),
    ];
    for (const chunk of [1, 2, 3, 7, 1000]) {
      const { files, filesSearched, notes } = collect([...printed, end, summary(4)], { chunk });
      expect(files).toEqual([
        { path: odd, matches: 3, lines: [whole(1, ''), whole(2, './b\0'), whole(3, '--')] },
        { path: 'e', matches: 1, lines: [whole(1, '7')] },
      ]);
      expect([filesSearched, notes]).toEqual([4, ['Skipped as binary, though they match: 1 file.']]);
    }
  });

  test('files that are not wanted leave no trace', () => {
    const events = ['a', 'b'].flatMap((path) => [begin(path), match(1, path), end]);
    expect(collect(events, { accepts: (path) => path === 'b' })).toMatchObject({ totalMatches: 1, files: [{ path: 'b' }] });
  });

  test('a search that was stopped keeps what it found in its last file', () => {
    expect(collect([begin('a'), match(1, 'x'), match(2, 'y')])).toEqual({
      files: [{ path: 'a', matches: 2, lines: [whole(1, 'x'), whole(2, 'y')] }],
      totalMatches: 2,
      totalFiles: 1,
      filesSearched: null,
      notes: [],
    });
  });

  test('a file that was not read to its end is told of', () => {
    expect(collect([begin('a'), ...Array.from({ length: 1000 }, (_, i) => match(i + 1, 'x')), end]).notes).toEqual([
      'Only the first 1000 matching lines were counted in 1 file.',
    ]);
  });
});
