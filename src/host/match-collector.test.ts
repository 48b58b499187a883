import { describe, expect, test } from 'vitest';
import type { GrepLine } from '../core/ports.ts';
import { type FoundMatches, MatchCollector } from './match-collector.ts';

const begin = (path: string) => ({ type: 'begin', data: { path: { text: `./${path}` } } });
const end = (path: string, matches: number, binary: number | null = null) => ({
  type: 'end',
  data: { path: { text: `./${path}` }, binary_offset: binary, stats: { searches: 1, matched_lines: matches } },
});
const summary = (searches: number) => ({ data: { stats: { searches, matched_lines: 0 } }, type: 'summary' });
const match = (line: number, text: string, start = 0) => ({
  type: 'match',
  data: { lines: { text: `${text}\n` }, line_number: line, submatches: [{ match: { text: '' }, start, end: start }] },
});
const context = (line: number, text: string) => ({
  type: 'context',
  data: { lines: { text: `${text}\n` }, line_number: line, submatches: [] },
});

function collect(
  events: readonly (object | string)[],
  options: { maxMatches?: number; contextLines?: number; accepts?: (path: string) => boolean } = {},
): FoundMatches {
  const collector = new MatchCollector({ maxMatches: 100, contextLines: 0, maxPerFile: 1000, accepts: () => true, ...options });
  const bytes = Buffer.from(events.map((event) => `${typeof event === 'string' ? event : JSON.stringify(event)}\n`).join(''));
  for (let at = 0; at < bytes.length; at += 65_536) collector.add(bytes.subarray(at, at + 65_536));
  return collector.finish();
}

const whole = (line: number, text: string, matchStart: number | null = 0): GrepLine => ({ line, text, matchStart });

describe('MatchCollector', () => {
  test('files are sorted by path, whatever order they come in', () => {
    const events = ['b', 'c', 'a'].flatMap((path) => [begin(path), match(1, path), end(path, 1)]);
    expect(collect([...events, summary(7)])).toEqual({
      files: ['a', 'b', 'c'].map((path) => ({ path, matches: 1, lines: [whole(1, path)] })),
      totalMatches: 3,
      totalFiles: 3,
      filesSearched: 7,
      notes: [],
    });
  });

  test('only the first matches by path are kept, and all are counted', () => {
    const many = (path: string) => [begin(path), ...Array.from({ length: 50 }, (_, i) => match(i + 1, path)), end(path, 50)];
    const found = collect([...many('c'), ...many('a'), ...many('b'), ...many('d'), summary(4)], { maxMatches: 60 });
    expect(found).toMatchObject({ totalMatches: 200, totalFiles: 4 });
    expect(found.files.map(({ path, lines }) => [path, lines.length])).toEqual([
      ['a', 50],
      ['b', 50],
    ]);
  });

  test('a file with many matches keeps as many lines as can be shown', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => match(i + 1, 'x'));
    const { files, totalMatches } = collect([begin('a'), ...lines, end('a', 50_000)], { maxMatches: 10 });
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
      end('a', 3),
    ];
    const { files } = collect(events, { maxMatches: 2, contextLines: 1 });
    expect(files[0]?.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  test('offsets in bytes become offsets in the text', () => {
    const { files } = collect([begin('a'), match(1, 'é😀needle', 6), end('a', 1)]);
    expect(files[0]?.lines).toEqual([whole(1, 'é😀needle', 3)]);
  });

  test('a line that is no UTF-8 is read as far as it goes', () => {
    const line = Buffer.from([0xff, 0x61, 0x0a]).toString('base64');
    const event = { type: 'match', data: { lines: { bytes: line }, line_number: 1, submatches: [{ start: 1 }] } };
    expect(collect([begin('a'), event, end('a', 1)]).files[0]?.lines).toEqual([whole(1, '\ufffda', 1)]);
  });

  test('a match over several lines gives each line', () => {
    const { files } = collect([begin('a'), match(4, 'one\r\ntwo', 1), end('a', 2)]);
    expect(files[0]?.lines).toEqual([whole(4, 'one', 1), whole(5, 'two', 0)]);
  });

  test('of a long line the piece around its match is kept', () => {
    const { files } = collect([
      begin('a'),
      match(1, `${'a'.repeat(1_000_000)}b${'c'.repeat(1_000_000)}`, 1_000_000),
      end('a', 1),
    ]);
    expect(files[0]?.lines).toEqual([
      {
        line: 1,
        text: `${'a'.repeat(1000)}b${'c'.repeat(2999)}`,
        matchStart: 1000,
        pieceOf: { start: 999_000, chars: 2_000_001 },
      },
    ]);
  });

  test('an event of endless submatches is read for its line', () => {
    const submatches = `{"match":{"text":""},"start":2,"end":2}${',{"match":{"text":""},"start":3,"end":3}'.repeat(500_000)}`;
    const event = `{"type":"match","data":{"path":{"text":"./a"},"lines":{"text":"x\\"},\\"line_number\\":9\\n"},"line_number":7,"absolute_offset":0,"submatches":[${submatches}]}}`;
    expect(event.length).toBeGreaterThan(16 * 1024 * 1024);
    expect(collect([begin('a'), event, end('a', 1)]).files[0]?.lines).toEqual([whole(7, 'x"},"line_number":9', 2)]);
  });

  test('a line that is too long to be held is counted and told of', () => {
    const { files, totalMatches, notes } = collect([
      begin('a'),
      match(1, 'a'.repeat(17 * 1024 * 1024)),
      match(2, 'b'),
      end('a', 2),
    ]);
    expect(files[0]?.lines).toEqual([whole(2, 'b')]);
    expect(totalMatches).toBe(2);
    expect(notes).toEqual(['Lines over 16777216 bytes that match and are not shown: 1.']);
  });

  test('binary files are told of and not counted', () => {
    expect(collect([begin('a'), match(1, 'x'), end('a', 1, 20), summary(1)])).toEqual({
      files: [],
      totalMatches: 0,
      totalFiles: 0,
      filesSearched: 1,
      notes: ['Skipped as binary, though their start matches: 1 file.'],
    });
  });

  test('files that are not wanted leave no trace', () => {
    const events = ['a', 'b'].flatMap((path) => [begin(path), match(1, path), end(path, 1)]);
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
    expect(collect([begin('a'), match(1, 'x'), end('a', 1000)]).notes).toEqual([
      'Only the first 1000 matching lines were counted in 1 file.',
    ]);
  });
});
