import { expect, test } from 'vitest';
import { markText, sourceOf, unmark } from './marks.ts';

const marksOf = (text: string) =>
  markText(text).marks.map(({ kind, text: inner, isQuoted }) => `${kind} ${inner}${isQuoted ? ' quoted' : ''}`);

test.each([
  ['replace "a b" with `c` in src/a.ts.', ['quote a b quoted', 'quote c quoted', 'path src/a.ts']],
  ["what's the port in config.json?", ['path config.json']],
  ['把“旧”换成「新」，在 a.txt 里', ['quote 旧 quoted', 'quote 新 quoted', 'path a.txt']],
  ['读一下README.md的内容', ['path README.md']],
  ['打开说明.md', ['path 说明.md']],
  ['find *.test.ts and src/**/*.js', ['glob *.test.ts', 'glob src/**/*.js']],
  ['the .env and .gitignore files, and Dockerfile', ['path .env', 'path .gitignore', 'path Dockerfile']],
  ['console.log in Node.js, e.g. version 1.2.3 and/or more', []],
  ["it's not 'quoted' twice", ['quote quoted quoted']],
])('%s', (text, marks) => {
  expect(marksOf(text)).toEqual(marks);
});

test('a marked text can be read back, with its quotes or without', () => {
  const marked = markText('run "ls -la" in src/');
  expect(unmark(marked, marked.text)).toBe('run ls -la in src/');
  expect(sourceOf(marked, marked.text)).toBe('run "ls -la" in src/');
});
