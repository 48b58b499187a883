import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const SCOPE =
  'Not looked at: binary files, .git, .hg, .svn, node_modules, vendor, .idea, __pycache__ and the like, what ignore files exclude (include_ignored looks there too), and what links lead to.';

const grep = (pattern: string, more: Readonly<Record<string, unknown>> = {}) => bench.call('Grep', { pattern, ...more });

/** The lines between the head and the notes. */
async function lines(pattern: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const { text, isError } = await grep(pattern, more);
  expect(isError).toBe(false);
  return text.startsWith('No ') ? [] : (text.split('\n\n')[0]?.split('\n').slice(1) ?? []);
}

describe('names that are not UTF-8', () => {
  test('are told of, with what reaches them', async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/caf`), Buffer.from([0xe9])]), 'needle\n');
    const note =
      'Names that are no UTF-8 and stand here with \ufffd: 1. Only Bash reaches those files, with a wildcard in place of each \ufffd.';
    expect((await grep('needle')).text).toContain(note);
    expect((await bench.call('Glob', { pattern: 'caf*' })).text).toContain(note);
  });
});

describe('a glob', () => {
  beforeEach(() => {
    bench.write('a.txt', 'needle\n');
    bench.write('sub/b.txt', 'needle\n');
    bench.write('#h', 'needle\n');
    bench.write('.ignore', 'x.log\n');
    bench.write('x.log', 'needle\n');
  });

  test('may be written from the root or with a dot in front, and may start with a #', async () => {
    expect(await lines('needle', { glob: './*.txt' })).toEqual(['a.txt:1: needle']);
    expect(await lines('needle', { glob: `${bench.root}/sub/*.txt` })).toEqual(['sub/b.txt:1: needle']);
    expect(await lines('needle', { glob: '#h' })).toEqual(['#h:1: needle']);
  });

  test('that chooses nothing is not said to match no file at all', async () => {
    expect((await grep('needle', { glob: '*.log' })).text).toContain('No file that is looked at');
    expect((await grep('needle', { glob: '/elsewhere/*.txt' })).text).toContain('Write the glob relative to that folder.');
  });

  test('does not hold for a single file, which is said', async () => {
    const { text } = await grep('needle', { path: `${bench.root}/a.txt`, glob: '*.md' });
    expect(text).toContain('The glob was left aside: path is a single file.');
  });
});

describe('limits', () => {
  test('max_results holds for names and counts too', async () => {
    for (let i = 0; i < 9; i++) bench.write(`f${i}.txt`, 'needle\n');
    expect(await lines('needle', { output_mode: 'files', max_results: 4 })).toHaveLength(4);
    expect((await grep('needle', { output_mode: 'count', max_results: 4 })).text).toContain('5 more files not shown');
  });

  test('a total that was not counted to its end says so', async () => {
    bench.write('long.log', 'needle\n'.repeat(12_000));
    const { text } = await grep('needle', { max_results: 2 });
    expect(text).toContain('At least 10000 matches in 1 file');
    expect(text).toContain('At least 9998 more matches');
  });

  test('of very many texts with a NUL none is lost', { timeout: 60_000 }, async () => {
    for (let i = 0; i < 620; i++) bench.write(`n${i}.txt`, `${'x'.repeat(600)}\nneedle one\n\0\nneedle two\n`);
    expect((await grep('needle', { max_results: 1000 })).text).toContain('1240 matches in 620 files');
  });
});

describe('files that are not plain UTF-8', () => {
  test('are searched as bytes, which is said where it matters', async () => {
    bench.write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    expect((await grep('café')).text).toContain('letters outside of ASCII are not found in them');
    expect((await grep('cafe')).text).not.toContain('letters outside');
  });

  const withNul = Buffer.from(`needle first\n${'a'.repeat(887)}\0b\nneedle after\n`);
  beforeEach(() => {
    bench.write('1-windows-1252.txt', Buffer.from('needle caf\xe9\nneedle\xe9\n', 'latin1'));
    bench.write('2-bom.txt', '\ufeffneedle with a mark\n');
    bench.write('3-utf-16.txt', Buffer.from('\ufeffneedle in sixteen\n', 'utf16le'));
    bench.write('4-nul-at-900.txt', withNul);
    bench.write('5-late-nul.txt', `needle early\n${'line\n'.repeat(40_000)}\0\nneedle late\n`);
    bench.write('6-binary', Buffer.from('abc\0\x01\nneedle\n'));
  });

  test('all but binaries are searched, with the right line numbers', async () => {
    const { text } = await grep('^needle');
    expect(text.split('\n').slice(1, 10)).toEqual([
      '1-windows-1252.txt:1: needle caf\ufffd',
      '1-windows-1252.txt:2: needle\ufffd',
      '2-bom.txt:1: needle with a mark',
      '3-utf-16.txt:1: needle in sixteen',
      '4-nul-at-900.txt:1: needle first',
      '4-nul-at-900.txt:3: needle after',
      '5-late-nul.txt:1: needle early',
      '5-late-nul.txt:40003: needle late',
      '',
    ]);
    expect(text).toContain('Skipped as binary, though they match: 1 file.');
  });

  test('with context too, also where a match comes only behind the NUL', async () => {
    const { text } = await grep('after|late|^abc', { context: 1 });
    expect(text).toContain('4-nul-at-900.txt:3: needle after');
    expect(text).toContain('5-late-nul.txt:40003: needle late');
    expect(text).toContain('Skipped as binary, though they match: 1 file.');
  });

  test('counts and names leave binaries out as well', async () => {
    expect(await lines('^needle', { output_mode: 'count' })).toEqual([
      '1-windows-1252.txt: 2',
      '2-bom.txt: 1',
      '3-utf-16.txt: 1',
      '4-nul-at-900.txt: 2',
      '5-late-nul.txt: 2',
    ]);
  });

  test('one file alone is judged the same', async () => {
    const path = bench.write('alone.txt', withNul);
    expect(await lines('needle', { path })).toEqual(['alone.txt:1: needle first', 'alone.txt:3: needle after']);
    expect((await grep('needle', { path: `${bench.root}/6-binary` })).text).toContain('Skipped as binary');
  });
});

describe('the answer', () => {
  test('is PATH:LINE: text by file, sorted by path, and says what was not looked at', async () => {
    bench.write('b.ts', 'one\nneedle b\n');
    bench.write('a/c.ts', 'needle\r\n\nneedle two');
    bench.write('.env', 'needle=1\n');
    expect(await grep('needle')).toEqual({
      isError: false,
      text: `4 matches in 3 files under ${bench.root}:\n.env:1: needle=1\na/c.ts:1: needle\na/c.ts:3: needle two\nb.ts:2: needle b\n\n${SCOPE}`,
      metadata: { root: bench.root, totalMatches: 4, totalFiles: 3, filesSearched: 3 },
    });
  });

  test('one file is searched alone, and still prints its name', async () => {
    const path = bench.write('a.txt', 'x\nneedle\n');
    expect(await grep('needle', { path })).toMatchObject({
      isError: false,
      text: `1 match in 1 file under ${path}:\na.txt:2: needle`,
    });
  });

  test('nothing found is said in words', async () => {
    bench.write('a.txt', 'x\n');
    expect(await grep('needle')).toMatchObject({
      isError: false,
      text: `No match for needle in 1 file under ${bench.root}.\n\n${SCOPE}`,
    });
  });

  test('lines are counted as ReadFile counts them', async () => {
    const path = bench.write('c.txt', 'alpha\r\nbeta\rcarriage\ngamma\n');
    expect(await lines('gamma', { path })).toEqual(['c.txt:3: gamma']);
    expect((await bench.call('ReadFile', { path })).text).toContain('3\tgamma');
    expect(await lines('beta', { path })).toEqual(['c.txt:2: beta\rcarriage']);
  });

  test('letter case matters unless it is said not to', async () => {
    bench.write('a.txt', 'Needle\nneedle\n');
    expect(await lines('needle')).toEqual(['a.txt:2: needle']);
    expect(await lines('needle', { ignore_case: true })).toEqual(['a.txt:1: Needle', 'a.txt:2: needle']);
  });

  test('a match may cross lines where that is wanted, or the pattern has a line end', async () => {
    bench.write('a.txt', 'one\ntwo\nthree\n');
    expect(await lines('one.two', { multiline: true })).toEqual(['a.txt:1: one', 'a.txt:2: two']);
    expect(await lines('one\\ntwo')).toEqual(['a.txt:1: one', 'a.txt:2: two']);
    expect(await lines('one\ntwo')).toEqual(['a.txt:1: one', 'a.txt:2: two']);
    expect(await lines('one.two')).toEqual([]);
  });
});

describe('limits', () => {
  test('context is told apart, printed once, and does not count', async () => {
    bench.write('m.txt', Array.from({ length: 60 }, (_, i) => `HIT ${i}\na\nb\nc\nd\n`).join(''));
    const shown = await lines('HIT', { context: 2 });
    expect(shown.filter((line) => /^m\.txt:\d+: HIT/.test(line))).toHaveLength(60);
    expect(shown.slice(0, 6)).toEqual([
      'm.txt:1: HIT 0',
      'm.txt-2- a',
      'm.txt-3- b',
      'm.txt-4- c',
      'm.txt-5- d',
      'm.txt:6: HIT 1',
    ]);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown).not.toContain('--');
  });

  test('groups that do not touch have a line between them', async () => {
    bench.write('a.txt', 'HIT\n1\n2\n3\nHIT\n');
    bench.write('b.txt', 'HIT\n');
    expect(await lines('HIT', { context: 1 })).toEqual([
      'a.txt:1: HIT',
      'a.txt-2- 1',
      '--',
      'a.txt-4- 3',
      'a.txt:5: HIT',
      '--',
      'b.txt:1: HIT',
    ]);
    expect(await lines('HIT')).toEqual(['a.txt:1: HIT', 'a.txt:5: HIT', 'b.txt:1: HIT']);
  });

  test('at most 100 matches, the same each time, and how many more there are', async () => {
    for (let i = 0; i < 150; i++) bench.write(`f${String(i).padStart(3, '0')}.txt`, 'HIT\n');
    const first = await grep('HIT');
    expect(await lines('HIT')).toEqual(Array.from({ length: 100 }, (_, i) => `f${String(i).padStart(3, '0')}.txt:1: HIT`));
    expect(first.text).toContain('50 more matches not shown: narrow the pattern, path or glob, or raise max_results.');
    for (let i = 0; i < 5; i++) expect(await grep('HIT')).toEqual(first);
    expect(await lines('HIT', { max_results: 3 })).toEqual(['f000.txt:1: HIT', 'f001.txt:1: HIT', 'f002.txt:1: HIT']);
    expect(await lines('HIT', { max_results: 1000 })).toHaveLength(150);
  });

  test('the limit falls inside a file, without the context of the next match', async () => {
    bench.write('a.txt', 'HIT 1\nx\ny\nz\nHIT 2\n');
    bench.write('b.txt', 'HIT 3\n');
    expect(await lines('HIT', { max_results: 1, context: 2 })).toEqual(['a.txt:1: HIT 1', 'a.txt-2- x', 'a.txt-3- y']);
    bench.write('a.txt', 'HIT 1\nHIT 2\nx\n');
    expect(await lines('HIT', { max_results: 1, context: 2 })).toEqual(['a.txt:1: HIT 1']);
    expect((await grep('HIT', { max_results: 1 })).text).toContain('3 matches in 2 files');
  });

  test('the limit falls inside a later file, without the context of the next match', async () => {
    bench.write('a.txt', 'HIT 1\n');
    bench.write('b.txt', `HIT 2\nx\n${'-\n'.repeat(50)}y\nHIT 3\n`);
    expect(await lines('HIT', { max_results: 2, context: 1 })).toEqual(['a.txt:1: HIT 1', '--', 'b.txt:1: HIT 2', 'b.txt-2- x']);
  });

  test('a long line is cut around its match, at characters', async () => {
    bench.write('a.min.js', `${'é'.repeat(3000)}needle${'😀'.repeat(3000)}\n`);
    const [line = ''] = await lines('needle');
    expect(line).toMatch(/^a\.min\.js:1: …é+needle(😀)+… \[line of 9006 characters\]$/u);
    expect(line.length).toBeLessThan(600);
    expect(line).not.toContain('\ufffd');
    bench.write('a.min.js', `needle${'x'.repeat(3000)}\n`);
    expect(await lines('needle')).toEqual([`a.min.js:1: needle${'x'.repeat(494)}… [line of 3006 characters]`]);
    bench.write('a.min.js', `${'x'.repeat(3000)}needle\n`);
    expect(await lines('needle')).toEqual([`a.min.js:1: …${'x'.repeat(494)}needle [line of 3006 characters]`]);
  });

  test('files and count', async () => {
    bench.write('b.txt', 'x\nx x\n');
    bench.write('a.txt', 'x\n');
    bench.write('c.txt', 'y\n');
    expect((await grep('x', { output_mode: 'files' })).text).toBe(
      `3 matches in 2 files under ${bench.root}:\na.txt\nb.txt\n\n${SCOPE}`,
    );
    expect((await grep('x', { output_mode: 'count' })).text).toBe(
      `3 matches in 2 files under ${bench.root}:\na.txt: 1\nb.txt: 2\n\n${SCOPE}`,
    );
    expect((await grep('z', { output_mode: 'count' })).text).toBe(`No match for z in 3 files under ${bench.root}.\n\n${SCOPE}`);
    expect((await grep('x(', { output_mode: 'files' })).isError).toBe(true);
    expect(await lines('x', { output_mode: 'count', path: bench.path('b.txt') })).toEqual(['b.txt: 2']);
  });

  test('at most 500 files are listed', async () => {
    for (let i = 0; i < 505; i++) bench.write(`f${String(i).padStart(3, '0')}.txt`, 'x\n');
    const { text } = await grep('x', { output_mode: 'files' });
    expect(text).toContain('\nf499.txt\n\n5 more files not shown: narrow path or glob.\n');
    expect(text).not.toContain('f500.txt');
  });
});

describe('what is searched', () => {
  test('the same folders are left out as in Glob, and binaries', async () => {
    for (const name of ['a.js', '.github/w.yml', 'node_modules/m.js', 'x/vendor/v.js', '.git/c', '__pycache__/p.py'])
      bench.write(name, 'needle\n');
    bench.write('b.bin', Buffer.from('\0\0needle\n'));
    expect(await lines('needle')).toEqual(['.github/w.yml:1: needle', 'a.js:1: needle']);
    expect(await lines('needle', { path: bench.path('b.bin') })).toEqual([]);
    expect(await lines('needle', { include_ignored: true, output_mode: 'files' })).toEqual([
      '.git/c',
      '.github/w.yml',
      '__pycache__/p.py',
      'a.js',
      'node_modules/m.js',
      'x/vendor/v.js',
    ]);
  });

  test('links are not followed and cannot repeat a match; what is dangling does no harm', async () => {
    bench.write('ok.txt', 'needle\n');
    symlinkSync('missing', bench.path('gone'));
    mkdirSync(bench.path('sub'));
    symlinkSync('..', bench.path('sub/up'));
    expect(await lines('needle')).toEqual(['ok.txt:1: needle']);
    expect(await lines('needle', { path: bench.path('sub/up') })).toEqual(['ok.txt:1: needle']);
  });

  test.each([
    ['*.{ts,tsx}', ['a.ts', 'b.tsx', 'src/d.ts']],
    ['**/*.ts', ['a.ts', 'src/d.ts']],
    ['src/**', ['src/d.ts', 'src/e.js']],
    ['!*.js', ['a.ts', 'b.tsx', 'pkg/.github/workflows/ci.yml', 'src/d.ts']],
    ['pkg/.github/workflows/*.yml', ['pkg/.github/workflows/ci.yml']],
  ])('the glob %s', async (pattern, expected) => {
    for (const name of ['a.ts', 'b.tsx', 'c.js', 'src/d.ts', 'src/e.js', 'pkg/.github/workflows/ci.yml'])
      bench.write(name, 'needle\n');
    expect(await lines('needle', { glob: pattern, output_mode: 'files' })).toEqual(expected);
    expect((await lines('needle', { glob: pattern })).map((line) => line.split(':')[0])).toEqual(expected);
  });

  test('a glob does not bring ignored files back', async () => {
    for (const name of ['a.js', 'dist/a.js', 'x.log', 'src/gen/b.js', 'src/b.js']) bench.write(name, 'needle\n');
    bench.write('.gitignore', 'dist/\n*.log\ngen/\n');
    expect(await lines('needle', { glob: '*.log' })).toEqual([]);
    expect(await lines('needle', { glob: 'src/**' })).toEqual(['src/b.js:1: needle']);
    expect(await lines('needle', { glob: '**', output_mode: 'count' })).toEqual(['a.js: 1', 'src/b.js: 1']);
    expect(await lines('needle', { glob: '*.log', include_ignored: true })).toEqual(['x.log:1: needle']);
  });

  test('a glob that chooses no file is said to be the reason', async () => {
    bench.write('a.ts', 'needle\n');
    expect((await grep('needle', { glob: '.github/*.yml' })).text).toBe(
      `No file that is looked at under ${bench.root} matches the glob .github/*.yml, so nothing was searched for needle.\n\n${SCOPE}`,
    );
    expect((await grep('nothing', { glob: '*.ts' })).text).toContain('No match for nothing in 1 file');
  });

  test.each([
    ['a folder that is not there', 'nope', /^There is no file or folder \S+nope\./],
    ['a FIFO', 'fifo', /is a named pipe \(FIFO\)/],
  ])('%s is an error', async (_name, name, expected) => {
    execFileSync('mkfifo', [bench.path('fifo')]);
    expect(await grep('x', { path: bench.path(name) })).toMatchObject({ isError: true, text: expect.stringMatching(expected) });
    expect(await lines('x')).toEqual([]);
  });
});

describe('patterns', () => {
  test.each([
    ['call(', 'error: unclosed group', 'call\\('],
    ['interface{}', 'error: repetition quantifier expects a valid decimal', 'interface\\{\\}'],
    ['*.go', 'error: repetition operator missing expression', '\\*\\.go'],
    ['(?<=x)y', 'look-behind, is not supported', '\\(\\?<=x\\)y'],
    ['(a)\\1', 'error: backreferences are not supported', '\\(a\\)\\\\1'],
  ])('%s is not valid: where, why, and how to write the text itself', async (pattern, reason, literal) => {
    const { text, isError } = await grep(pattern);
    expect(isError).toBe(true);
    expect(text).toMatch(/^The pattern is not valid:\nrg: regex parse error:\n[^]*\^/);
    expect(text).toContain(reason);
    expect(text.endsWith(`\nTo search for the text itself, write ${literal}`)).toBe(true);
    expect(text).not.toContain('PCRE2');
  });

  test('a glob that is not valid is told apart from the pattern', async () => {
    bench.write('a.ts', 'x\n');
    expect(await grep('x', { glob: '{a' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^The glob \{a is not valid: rg: error parsing glob '\{a': unclosed alternate group/),
    });
  });

  test('a pattern that finds nothing though its text does occur says so', async () => {
    bench.write('m.go', 'x\na[0] = 1\nC++\nfoo|bar\n');
    expect((await grep('a[0]')).text).toContain(
      `No match for a[0] in 1 file under ${bench.root}. The text itself does occur (1 match, first m.go:2): to find it write a\\[0\\]`,
    );
    expect((await grep('q[0]')).text).not.toContain('does occur');
    expect(await lines('C++')).toEqual(['m.go:3: C++']);
  });

  test('alternation in another dialect gets a hint', async () => {
    bench.write('a.txt', 'foo\n');
    expect((await grep('foo\\|bar')).text).toContain('Here alternation is written | and not \\|.');
    expect(await lines('foo|bar')).toEqual(['a.txt:1: foo']);
  });

  test('no value is taken for an option, and no program runs', async () => {
    bench.write('-n.txt', '-e x\n');
    bench.write('plain.txt', '-e x\n--pre=touch pwned\n');
    expect(await lines('-e')).toEqual(['-n.txt:1: -e x', 'plain.txt:1: -e x']);
    expect(await lines('--pre=touch pwned')).toEqual(['plain.txt:2: --pre=touch pwned']);
    expect(await lines('-f/etc/hostname')).toEqual([]);
    expect(await lines('-e', { path: bench.path('-n.txt') })).toEqual(['-n.txt:1: -e x']);
    expect((await grep('x', { glob: '--files' })).text).toContain('matches the glob --files');
    expect(existsSync(bench.path('pwned'))).toBe(false);
  });

  test('no pattern takes for ever', async () => {
    bench.write('line.txt', `${'a'.repeat(40)}b`);
    bench.write('big.txt', `${'abc '.repeat(1_250_000)}x`);
    expect(await lines('(a+)+$')).toEqual([]);
    expect(await lines('(a|aa)+$')).toEqual([]);
    expect(await lines('.{0,300}(x|y).{0,300}', { glob: 'big.txt' })).toEqual([
      expect.stringMatching(/^big\.txt:1: .* \[line of 5000001 characters\]$/),
    ]);
  });

  test('an empty match does not loop, nor fill the memory', async () => {
    bench.write('a.txt', 'abc\n\n');
    expect(await lines('q*')).toEqual(['a.txt:1: abc', 'a.txt:2: ']);
    bench.write('a.txt', 'a'.repeat(400_000));
    expect(await lines('q*')).toEqual([`a.txt:1: ${'a'.repeat(500)}… [line of 400000 characters]`]);
  });

  test('an empty pattern is refused, and a NUL does no harm', async () => {
    expect(await grep('')).toMatchObject({
      isError: true,
      text: 'Grep was not run: "pattern" is empty. Give what to search for.',
    });
    bench.write('a.txt', 'x\n');
    expect((await grep('a\0b')).isError).toBe(true);
    expect((await grep('x', { glob: 'a\0b' })).isError).toBe(true);
    expect(await lines('x', { glob: '' })).toEqual(['a.txt:1: x']);
  });

  test('an aborted search throws, and answers nothing', async () => {
    await expect(bench.call('Grep', { pattern: 'x' }, AbortSignal.abort())).rejects.toThrow('abort');
  });
});
