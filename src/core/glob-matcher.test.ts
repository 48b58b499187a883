import { describe, expect, test } from 'vitest';
import { bracketSegments, globMatcher } from './glob-matcher.ts';

/** Which of the paths match. */
function matching(pattern: string, paths: readonly string[], names: readonly string[] = []): string[] {
  return paths.filter(globMatcher(pattern, new Set(names)));
}

describe('globMatcher', () => {
  test.each([
    ['*', ['a', '.env', 'a/b'], ['a', '.env']],
    ['*.ts', ['a.ts', '.ts', 'src/a.ts', 'a.tsx'], ['a.ts', '.ts']],
    ['**', ['a', '.a/.b', 'a/b/c'], ['a', '.a/.b', 'a/b/c']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/x/y/a.ts', 'a.js'], ['a.ts', 'src/a.ts', 'src/x/y/a.ts']],
    ['src/**', ['src', 'src/a', 'src/a/b', 'lib/src/a'], ['src/a', 'src/a/b']],
    ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts', 'a.ts'], ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts']],
    ['**/a/**', ['a/b', 'x/a/b/c', 'a', 'x/a'], ['a/b', 'x/a/b/c']],
    ['**/x/**/y', ['x/y', 'a/x/b/x/c/y', 'a/x'], ['x/y', 'a/x/b/x/c/y']],
    ['a**b', ['ab', 'axxb', 'a/b'], ['ab', 'axxb']],
    ['a?c', ['abc', 'a😀c', 'ac', 'a/c', 'abbc'], ['abc', 'a😀c']],
    ['[a-c]x', ['ax', 'cx', 'dx', '-x'], ['ax', 'cx']],
    ['[!a]x', ['ax', 'bx', '!x'], ['bx', '!x']],
    ['[^a]x', ['ax', 'bx', '^x'], ['bx', '^x']],
    ['[a-]x', ['ax', '-x', 'bx'], ['ax', '-x']],
    ['[]]x', [']x', 'x'], [']x']],
    ['[[]id]', ['[id]', 'i'], ['[id]']],
    ['\\[id\\]', ['[id]', 'i'], ['[id]']],
    ['*.{ts,tsx}', ['a.ts', 'b.tsx', 'c.js'], ['a.ts', 'b.tsx']],
    ['{src,lib}/**/*.ts', ['src/a.ts', 'lib/x/y.ts', 'z.ts'], ['src/a.ts', 'lib/x/y.ts']],
    ['a{b,{c,d}e}f', ['abf', 'acef', 'adef', 'aef'], ['abf', 'acef', 'adef']],
    ['a{,b}', ['a', 'ab', 'a{,b}'], ['a', 'ab']],
    ['{one}', ['{one}', 'one'], ['{one}']],
    ['src\\*.ts', ['src*.ts', 'srcx.ts'], ['src*.ts']],
    ['src/*.TS', ['src/B.TS', 'src/a.ts'], ['src/B.TS']],
  ])('%s', (pattern, paths, expected) => {
    expect(matching(pattern, paths)).toEqual(expected);
  });

  test('punctuation of names stands for itself', () => {
    const paths = ['app/(shop)/cart/page.tsx', 'app/routes/$org+/x.(y).tsx', 'app/@modal/page.tsx', 'a b/c d.tsx'];
    expect(matching('app/**/*.tsx', paths)).toEqual(paths.slice(0, 3));
    expect(matching('app/(shop)/**/*.tsx', paths)).toEqual(paths.slice(0, 1));
    expect(matching('app/routes/$org+/*', paths)).toEqual(paths.slice(1, 2));
    for (const name of ['!a.ts', '#x', '+(a).ts', '@(a|b).ts', 'a|b', 'a+b', 'a.b', '$x^', "it's", '~', 'a}', 'a,b']) {
      expect(matching(name, [name, 'a', 'b', 'axb', 'aab', 'x', 'a.ts'])).toEqual([name]);
    }
  });

  test('a segment that is a name is no class', () => {
    const paths = ['app/[id]/page.tsx', 'app/i/page.tsx', 'app/in/[[...rest]]/page.tsx'];
    expect(matching('app/[id]/page.tsx', paths)).toEqual(['app/i/page.tsx']);
    expect(matching('app/[id]/page.tsx', paths, ['[id]'])).toEqual(['app/[id]/page.tsx']);
    expect(matching('app/**/[[...rest]]/*', paths, ['[[...rest]]'])).toEqual(['app/in/[[...rest]]/page.tsx']);
    expect([...bracketSegments('{app,src}/[id]/**/[[...rest]]/x[0-9].ts')]).toEqual(['[id]', '[[...rest]]', 'x[0-9].ts']);
  });

  test('composed and decomposed letters are one', () => {
    expect(matching('*\u00e9*', ['e\u0301.txt', '\u00e9.txt', 'e.txt'])).toEqual(['e\u0301.txt', '\u00e9.txt']);
    expect(matching('*e\u0301*', ['e\u0301.txt', '\u00e9.txt', 'e.txt'])).toEqual(['e\u0301.txt', '\u00e9.txt']);
  });

  test('an odd pattern matches itself or nothing and never throws', () => {
    for (const odd of ['[', 'a[', '[]', '{', 'a{b', '}', '[!', '[^]', '\\', '{a,b', '{{{,}', '[a', '[a-', '', '/']) {
      expect(globMatcher(odd)('other')).toBe(false);
    }
    expect(matching('[z-a].ts', ['a.ts', 'z.ts', '-.ts'])).toEqual([]);
    for (const literal of ['[', 'a[', '{', 'a{b', '}', '{a,b']) expect(matching(literal, [literal])).toEqual([literal]);
  });

  // As regular expressions these take longer than the universe is old.
  test('no pattern takes for ever', () => {
    expect(globMatcher(`${'*a'.repeat(20)}*b`)('a'.repeat(5000))).toBe(false);
    expect(globMatcher(`${'**/a/'.repeat(20)}b`)('a/'.repeat(2000))).toBe(false);
    expect(globMatcher('{a,b}'.repeat(400))('ab'.repeat(200))).toBe(false);
    expect(globMatcher(`${'{a,'.repeat(900)}b${'}'.repeat(900)}`)('b')).toBe(true);
  });
});
