import { expect, test } from 'vitest';
import { CountCollector } from './count-collector.ts';

const STATS = '\n9 matches\n9 matched lines\n3 files contained matches\n12 files searched\n0 bytes printed\n';

function collect(
  output: string,
  {
    maxFiles = 10,
    size = 5,
    accepts = (path: string): boolean => path !== '',
    isText = (path: string): boolean => path !== 'bin',
  } = {},
) {
  const collector = new CountCollector({ maxFiles, accepts, isText });
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += size) collector.add(bytes.subarray(at, at + size));
  return collector.finish();
}

test('counts come by file, sorted, and the first are kept', () => {
  const output = `./c\x001\n./a\x002\n./b\x003\n${STATS}`;
  expect(collect(output, { maxFiles: 2 })).toEqual({
    files: [
      { path: 'a', matches: 2, lines: [] },
      { path: 'b', matches: 3, lines: [] },
    ],
    totalMatches: 6,
    totalFiles: 3,
    filesSearched: 12,
    notes: [],
  });
});

test('a path may hold line ends', () => {
  expect(collect(`./we\nird\n\x004\n./z\x001\n${STATS}`).files).toEqual([
    { path: 'we\nird\n', matches: 4, lines: [] },
    { path: 'z', matches: 1, lines: [] },
  ]);
});

test('a search that was stopped has no number of files', () => {
  expect(collect(`./a\x001\n./b`)).toMatchObject({ totalFiles: 1, filesSearched: null });
});

test('files that are not wanted do not count', () => {
  expect(collect(`./a\x001\n./b\x005\n${STATS}`, { accepts: (path) => path === 'b' })).toMatchObject({
    totalMatches: 5,
    totalFiles: 1,
  });
});
