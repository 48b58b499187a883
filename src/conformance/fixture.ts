const LOG_LINES = 20_000;
const MANY_FILES = 220;

/** Files of a bench by relative path: small ones, an empty one, a large one, and many. */
export function fixtureFiles(): ReadonlyMap<string, string> {
  const log = Array.from({ length: LOG_LINES }, (_, i) => `${String(i + 1).padStart(6, '0')} first line of a request: ok\n`);
  const many = Array.from({ length: MANY_FILES }, (_, i) => [`many/part-${i + 1}.txt`, `part ${i + 1}, first line\n`] as const);
  return new Map([
    ['notes.md', '# Notes\n\nfirst line\nsecond line\n第一行\n'],
    ['src/price.js', 'export function price(net) {\n  return net * 1.2;\n}\n'],
    ['src/with space.txt', 'a name with a space\n'],
    ['empty.txt', ''],
    ['big.log', log.join('')],
    // An unborn repository, which git takes as one.
    ['.git/HEAD', 'ref: refs/heads/main\n'],
    ['.git/config', '[core]\n\trepositoryformatversion = 0\n'],
    ['.git/objects/info/.keep', ''],
    ['.git/refs/heads/.keep', ''],
    ...many,
  ]);
}

/** What made-up paths lead to; the last one is not there. */
export const FIXTURE_PATHS = [
  'notes.md',
  'src/price.js',
  'src/with space.txt',
  'empty.txt',
  'big.log',
  'many',
  'not/there.txt',
] as const;
