import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GrepFile, GrepRequest } from '../../core/ports.ts';
import { createLocalSearch } from './local-search.ts';
import { searchText } from './plain-grep.ts';
import { translatePattern } from './plain-pattern.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'a.ts': 'x\nneedle\nneedle needle\ny\nz\nq\nneedle',
  'b.ts': 'one needle\r\ntwo\r\nNEEDLE three\r\n',
  'blank.txt': '\n\n\n',
  'letters.txt': 'α needle ω\n\n\tfoo(bar)\nstraße STRASSE ſ K\nñ ñ x_1 ١٢\u00a0\u2028z\u0085\ufeffend\n',
  'lines.txt': 'one two\nthree one\nx\none\ntwo one\ntwo\n\n\nend',
  'many.txt': 'HIT 0\na\nb\nHIT again\nHIT third\nc\n'.repeat(20),
  'punctuation.txt': 'a[0] = {1}; x|y \\ "q" $HOME ^caret 100% a.b a-b a_b\nneedle=1 -e needle ~/#&,:<>@`\'\n',
  'returns.txt': 'odd\rlone\r\n\r\nend\r\r\nx\n',
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-pattern-'));
  for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(root, name), text);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const withRipgrep = createLocalSearch();

function ripgrepFinds(pattern: string, more: Partial<GrepRequest>) {
  const { signal } = new AbortController();
  const base = { path: root, pattern, glob: null, contextLines: 0, ignoreCase: false, multiline: false, includeIgnored: false };
  return withRipgrep.grep({ ...base, maxResults: 1000, timeoutMs: 20_000, signal, ...more });
}

function plainFinds(pattern: string, more: Partial<GrepRequest>): GrepFile[] {
  const { contextLines = 0, ignoreCase = false, multiline = false, countsOnly = false, maxResults = 1000 } = more;
  const translated = translatePattern(pattern, { ignoreCase, multiline });
  if ('fault' in translated) throw new Error(translated.fault);
  return Object.entries(TEXTS)
    .map(([path, text]) => ({ path, ...searchText(text, translated, { contextLines, countsOnly, maxMatches: maxResults }) }))
    .filter(({ matches }) => matches > 0);
}

describe('a pattern finds what it finds with ripgrep:', () => {
  test.each<[string, Partial<GrepRequest>]>([
    ['(?x) need le', {}],
    ['^needle', {}],
    ['needle$', {}],
    ['needle\\r\\ntwo', { multiline: true }],
    ['two$', {}],
    ['^two$', { multiline: true }],
    ['odd$|^lone', {}],
    ['odd.lone', { multiline: true }],
    ['^\\S*$', {}],
    ['needle', { contextLines: 20 }],
    ['needle', { ignoreCase: true }],
    ['STRASSE|ſ|k', { ignoreCase: true }],
    ['needle', { countsOnly: true }],
    ['HIT', {}],
    ['HIT', { maxResults: 2, contextLines: 1 }],
    ['q*', {}],
    ['q*', { multiline: true }],
    ['q*', { multiline: true, countsOnly: true }],
    ['^$', {}],
    ['^$', { multiline: true }],
    ['one.two', { multiline: true }],
    ['one', { multiline: true, countsOnly: true }],
    ['one(?-s:.)two', { multiline: true }],
    ['two\\s+end', { multiline: true, contextLines: 1 }],
    ['\\Aone', { multiline: true }],
    ['end\\z', { multiline: true }],
    ['(?i)NEEDLE', {}],
    ['(?i:NEEDLE) t', {}],
    ['n(?i)EEDLE', {}],
    ['(?U)n.*e', {}],
    ['\\bneedle\\b', {}],
    ['\\b\\w+\\b', {}],
    ['\\Beedl\\B', {}],
    ['\\<needle\\>', {}],
    ['\\b{start}n', {}],
    ['[[:alpha:]]+\\(', {}],
    ['[[:^alpha:]]+', {}],
    ['[^[:space:]]=', {}],
    ['[a-z&&[^aeiou]]{3}', {}],
    ['[\\w--[a-y]]', {}],
    ['[]x]', {}],
    ['[^]x]', {}],
    ['[-a]b', {}],
    ['[a\\-]b', {}],
    ['[\\d\\]]', {}],
    ['\\pL\\s\\p{Greek}', {}],
    ['\\p{Greek}', {}],
    ['\\p{script=greek}', {}],
    ['\\p{uppercase}{3}', {}],
    ['\\PL+$', {}],
    ['(?P<word>need)le', {}],
    ['(?<word>need)(?:le)', {}],
    ['\\x6eeedle|\\u{3b1}|\\x{3c9}', {}],
    ['e{2}d', {}],
    ['e{1,}d', {}],
    ['(ne+d){1,2}?le', {}],
    ['n**eedle', {}],
    ['^*needle', {}],
    ['a\\[0\\]|\\{1\\}|x\\|y|\\$HOME|\\^caret|a\\.b', {}],
    ['"q"|\\"q\\"|100\\%|a\\-b', {}],
    ['}|]', {}],
    ['|needle', {}],
    ['()needle||zzz', {}],
    ['\\s', {}],
    ['\\S+', {}],
    ['\\w+', {}],
    ['\\W', {}],
    ['\\d', {}],
    ['\\D+$', {}],
    ['.+', { multiline: true, countsOnly: true }],
    ['\\s', { multiline: true, countsOnly: true }],
    ['[^x]{4}', { multiline: true, countsOnly: true }],
    ['needle\\z', { multiline: true }],
    ['[[:punct:]]{2}', {}],
    ['[[:word:]]+-[[:digit:][:upper:]]?', {}],
    ['[&~#,:<>@`]+', {}],
    ['[ab&&b]|[ax--a][|]', {}],
    ['[^a-z&&[^q]]HIT|[ -~&&[^\\x20]]\\|', {}],
    ['ı|İ|Ñ', { ignoreCase: true }],
    ['[^Ñ]x', { ignoreCase: true }],
    ['\\p{Ll}\\p{Lu}|_\\p{Nd}', {}],
    ['\\p{Letter}\\P{Alphabetic}', {}],
    ['\\/\\#\\&\\,', {}],
    ['(?s).needle', {}],
    ['(?i-s)NEEDLE.N', {}],
    ['a|b|', {}],
    ['(?:a|(b|(c)))$', {}],
    ['(?-i)n(?i:EED(?-i:le))', { ignoreCase: true }],
  ])('%j %j', async (pattern, more) => {
    const { files, fault } = await ripgrepFinds(pattern, more);
    expect(fault).toBeNull();
    expect(files).not.toEqual([]);
    expect(plainFinds(pattern, more)).toEqual(files);
  });
});

function faultOf(pattern: string, multiline = false): string | null {
  const translated = translatePattern(pattern, { ignoreCase: false, multiline });
  return 'fault' in translated ? translated.fault : null;
}

describe('a pattern that Rust does not take is refused:', () => {
  test.each([
    ['call(', 4, 'unclosed group'],
    ['a)b', 1, 'unopened group'],
    ['interface{}', 9, 'repetition quantifier expects a valid decimal'],
    ['x{2', 1, 'unclosed counted repetition'],
    ['x{3,2}', 1, 'invalid repetition count range, the start must be <= the end'],
    ['x{,2}', 1, 'repetition quantifier expects a valid decimal'],
    ['*.go', 0, 'repetition operator missing expression'],
    ['a|*', 2, 'repetition operator missing expression'],
    ['(?<=x)y', 0, 'look-around, including look-ahead and look-behind, is not supported: match the text around it too'],
    ['a(?!x)', 1, 'look-around, including look-ahead and look-behind, is not supported: match the text around it too'],
    ['(a)\\1', 3, 'backreferences are not supported: write the text a second time'],
    ['(?P<a>x)(?P=a)', 8, 'backreferences are not supported: write the text a second time'],
    ['(?>a)', 0, 'unrecognized flag'],
    ['[a', 0, 'unclosed character class'],
    ['[]', 0, 'unclosed character class'],
    ['[z-a]', 1, 'invalid character class range, the start must be <= the end'],
    ['[\\d-z]', 1, 'invalid range boundary, must be a literal'],
    ['[a-\\d]', 1, 'invalid range boundary, must be a literal'],
    ['\\p{Nonsense}', 0, 'Unicode property not found'],
    ['\\p{^Greek}', 0, 'Unicode property not found'],
    ['\\Z', 0, 'unrecognized escape sequence'],
    ['\\x{110000}', 0, 'hexadecimal literal is not a Unicode scalar value'],
    ['\\xg', 0, 'invalid hexadecimal digit'],
    ['a\\', 1, 'incomplete escape sequence, reached end of pattern prematurely'],
    ['a\\r', 1, 'a line end is matched only where multiline is set'],
    ['a\\n', 1, 'a line end is matched only where multiline is set'],
    ['('.repeat(300), 250, 'more than 250 groups in each other'],
  ])('%j at %j', async (pattern, at, reason) => {
    const fault = faultOf(pattern);
    expect((await ripgrepFinds(pattern, {})).fault).not.toBeNull();
    expect(fault).toContain(`regex parse error:\n    ${pattern}\n    ${' '.repeat(at)}^\nerror: ${reason}`);
  });

  test('a line end is no fault where a match may cross lines', () => {
    expect(faultOf('a\\n', true)).toBeNull();
    expect(faultOf('a\nb', true)).toBeNull();
  });
});
