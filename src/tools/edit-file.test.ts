import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const edit = (name: string, old_string: string, new_string: string, more: Readonly<Record<string, unknown>> = {}) =>
  bench.call('EditFile', { path: bench.path(name), old_string, new_string, ...more });
const text = (name: string): string => readFileSync(bench.path(name), 'utf8');

/** Edits a file of this content and gives what it is then. */
async function edited(
  content: string,
  old_string: string,
  new_string: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  bench.write('file.txt', content);
  const { isError, text: answer } = await edit('file.txt', old_string, new_string, more);
  expect(answer).toMatch(/^Edited /);
  expect(isError).toBe(false);
  return text('file.txt');
}

/** The refusal of an edit, which leaves the file and all about it as it was. */
async function refusal(
  content: string,
  old_string: string,
  new_string: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const path = bench.write('file.txt', content);
  utimesSync(path, 1000, 2000);
  const before = statSync(path);
  const { isError, text: answer } = await edit('file.txt', old_string, new_string, more);
  expect(isError).toBe(true);
  expect(text('file.txt')).toBe(content);
  const { mtimeMs, ctimeMs, ino } = statSync(path);
  expect({ mtimeMs, ctimeMs, ino }).toEqual({ mtimeMs: before.mtimeMs, ctimeMs: before.ctimeMs, ino: before.ino });
  expect(readdirSync(bench.root)).toEqual(['file.txt']);
  return answer.replaceAll(bench.root, '');
}

describe('the answer', () => {
  test('shows the changed place with a few numbered lines around it', async () => {
    bench.write('a.ts', Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join(''));
    expect(await edit('a.ts', 'line 6\nline 7', 'six\nseven')).toEqual({
      isError: false,
      text: `Edited ${bench.path('a.ts')}: one place.\n${['3\tline 3', '4\tline 4', '5\tline 5', '6\tsix', '7\tseven', '8\tline 8', '9\tline 9', '10\tline 10'].join('\n')}`,
      metadata: {
        path: bench.path('a.ts'),
        replacements: 1,
        matched: 'exact',
        firstLine: 6,
        before: 'line 6\nline 7',
        after: 'six\nseven',
      },
    });
  });

  test('says that an empty line stays, and that a file is empty now', async () => {
    bench.write('a.txt', 'one\ntwo\nthree\n');
    expect((await edit('a.txt', 'two', '')).text).toContain(
      'one place. An empty line stays where the text was deleted.\n1\tone\n2\t\n3\tthree',
    );
    expect(text('a.txt')).toBe('one\n\nthree\n');
    expect((await edit('a.txt', 'one\n\nthree\n', '')).text).toBe(
      `Edited ${bench.path('a.txt')}: one place. The file is empty now.`,
    );
  });

  test('counts the places of replace_all and shows the first', async () => {
    bench.write('a.txt', 'x\ny\nx\n');
    expect((await edit('a.txt', 'x', 'z', { replace_all: true })).text).toBe(
      `Edited ${bench.path('a.txt')}: 2 places.\nThe first of them:\n1\tz\n2\ty\n3\tz`,
    );
  });
});

describe('what is written', () => {
  test('new_string is taken by its letters', async () => {
    expect(await edited('all:\n\t@echo PLACE\n', 'PLACE', "$$PWD $& $1 $`x $'x \\n \\1")).toBe(
      "all:\n\t@echo $$PWD $& $1 $`x $'x \\n \\1\n",
    );
    expect(await edited('s.replace(/\\u00A0/g, "\u00a0")', '/\\u00A0/g', '/\\u202F/g')).toBe('s.replace(/\\u202F/g, "\u00a0")');
    expect(await edited('A: 1\nB: 2\n', 'A: 1\nB: 2', 'A: 1  \nB: 2  ')).toBe('A: 1  \nB: 2  \n');
  });

  test('an empty new_string deletes exactly old_string', async () => {
    expect(await edited('one two\n', 'one ', '')).toBe('two\n');
    expect(await edited('a\nb\nc\n', 'b\n', '')).toBe('a\nc\n');
    expect(await edited('a\nb', '\nb', '')).toBe('a');
  });

  test('replace_all goes from left to right, and what it writes is not read again', async () => {
    expect(await edited('aaaa a', 'aa', 'aab', { replace_all: true })).toBe('aabaab a');
    expect(await edited('foo\nfoo\nfoo\n', 'foo\nfoo\n', 'bar\n', { replace_all: true })).toBe('bar\nfoo\n');
  });

  test('the text that ReadFile shows fits, tabs and all', async () => {
    const path = bench.write('m.go', '\ufefffunc f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n');
    expect((await bench.call('ReadFile', { path })).text).toContain('1\tfunc f() {\n2\t\tif x {\n');
    await edit('m.go', 'func f() {\n\tif x {\n\t\treturn 1', 'func f() {\n\tif y {\n\t\treturn 2');
    expect(text('m.go')).toBe('\ufefffunc f() {\n\tif y {\n\t\treturn 2\n\t}\n}\n');
  });
});

describe('line ends', () => {
  test.each([
    ['old_string with CRLF and new_string with CRLF', 'a\r\nb\r\nc\r\n', 'b\r\n', 'b\r\nb2\r\n', 'a\r\nb\r\nb2\r\nc\r\n'],
    ['old_string with LF in a CRLF file', 'a\r\nb\r\nc\r\n', 'b\nc\n', 'b\nb2\nc\n', 'a\r\nb\r\nb2\r\nc\r\n'],
    ['old_string with CRLF in an LF file', 'a\nb\nc\n', 'b\r\nc', 'B\r\nC', 'a\nB\nC\n'],
    ['one line that becomes two in a CRLF file', 'a\r\nb\r\n', 'a', 'a\nx', 'a\r\nx\r\nb\r\n'],
    ['the last line without an end in a CRLF file', 'a\r\nb', 'b', 'b\nx', 'a\r\nb\r\nx'],
    ['a new line in a mixed file takes the end of its place', 'a\r\nb\nc\r\n', 'b', 'b\nx', 'a\r\nb\nx\nc\r\n'],
    ['a new line in a mixed file takes the other end of its place', 'a\r\nb\nc\r\n', 'c', 'c\nx', 'a\r\nb\nc\r\nx\r\n'],
    ['each line keeps its own end in a mixed file', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'A\nB\nC', 'A\r\nB\nC\r\nd\n'],
    ['old_string that starts with a line end', 'a\r\nb\r\n', '\nb', '\nB', 'a\r\nB\r\n'],
    ['old_string that ends in the middle of a line', 'a\r\nbc\r\n', 'a\nb', 'A\nB', 'A\r\nBc\r\n'],
    ['an explicit change of a line end', 'a\r\nb\r\n', 'a\r\nb', 'a\nb', 'a\nb\r\n'],
  ])('%s', async (_name, content, old_string, new_string, expected) => {
    expect(await edited(content, old_string, new_string)).toBe(expected);
  });

  test('a lone carriage return is data', async () => {
    expect(await edited('10%\r50%\r100%\ndone ok\n', 'done ok', 'done OK')).toBe('10%\r50%\r100%\ndone OK\n');
    expect(await edited('a\rb\r\nc\n', 'b\nc', 'B\nC')).toBe('a\rB\r\nC\n');
    expect(await refusal('a\rb\n', 'a\nb', 'x')).toContain('was not found');
  });

  test('the answer says when line ends were folded', async () => {
    bench.write('w.cs', 'a\r\nb\r\n');
    expect((await edit('w.cs', 'a\nb', 'A\nB')).text).toContain(
      'one place (matched with line ends folded; the lines keep their own).',
    );
  });

  test('a folded old_string must be unique too', async () => {
    expect(await refusal('a\r\nb\r\na\r\nb\r\n', 'a\nb', 'x')).toContain('occurs 2 times in /file.txt (lines 1, 3)');
  });
});

describe('fidelity', () => {
  test('bytes outside of the change stay: mark, stray bytes, NUL behind the start, no final line end', async () => {
    const head = Buffer.concat([
      Buffer.from('\ufeffdéjà vu, 日本語, à la carte\r\nx\ry\n'),
      Buffer.of(0xff, 0xfe, 0xc3),
      Buffer.from('caf'),
      Buffer.of(0xe9, 0x0a),
    ]);
    const tail = Buffer.concat([Buffer.from('z'.repeat(600)), Buffer.from('\0'), Buffer.from('\u2028\n\n  last')]);
    bench.write('k.js', Buffer.concat([head, Buffer.from('let v = 1;\n'), tail]));
    expect(await edit('k.js', 'let v = 1;', 'let v = 2;')).toMatchObject({ isError: false });
    expect(readFileSync(bench.path('k.js'))).toEqual(Buffer.concat([head, Buffer.from('let v = 2;\n'), tail]));
  });

  test('mode, links and hard links stay', async () => {
    bench.write('a.php', '1');
    chmodSync(bench.path('a.php'), 0o640);
    linkSync(bench.path('a.php'), bench.path('b.php'));
    symlinkSync('a.php', bench.path('c.php'));
    await edit('c.php', '1', '22');
    expect([text('a.php'), text('b.php')]).toEqual(['22', '22']);
    expect(statSync(bench.path('a.php')).mode & 0o777).toBe(0o640);
    expect(lstatSync(bench.path('c.php')).isSymbolicLink()).toBe(true);
    expect(readdirSync(bench.root).toSorted()).toEqual(['a.php', 'b.php', 'c.php']);
  });

  test('an edit works on what the file holds now', async () => {
    const path = bench.write('n.md', 'alpha\nbeta\n');
    await bench.call('ReadFile', { path });
    appendFileSync(path, 'gamma\n');
    await edit('n.md', 'beta', 'BETA');
    expect(text('n.md')).toBe('alpha\nBETA\ngamma\n');
  });

  test('edits of one file at the same time are all kept', async () => {
    for (let round = 0; round < 50; round++) {
      bench.write('p.txt', 'A\nB\nC\n');
      const answers = await Promise.all([edit('p.txt', 'A', 'A1'), edit('p.txt', 'C', 'C1'), edit('p.txt', 'B', 'B1')]);
      expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
      expect(text('p.txt')).toBe('A1\nB1\nC1\n');
    }
  });
});

describe('refusals leave every byte, and say what to do', () => {
  test('several places: how many, where, and how to choose', async () => {
    const content = ['x = 1', '', '', 'x = 1', '', '', '', '', 'x = 1', ''].join('\n');
    expect(await refusal(content, 'x = 1', 'x = 2')).toBe(
      'old_string occurs 3 times in /file.txt (lines 1, 4, 9); nothing was changed. Add surrounding lines until it occurs once, or set replace_all.',
    );
    expect(await refusal('y\n'.repeat(30), 'y', 'z')).toContain(
      'occurs 30 times in /file.txt (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and more)',
    );
  });

  test('two places that overlap are two', async () => {
    expect(await refusal('foo\nfoo\nfoo\n', 'foo\nfoo\n', 'bar\n')).toContain('occurs 2 times in /file.txt (lines 1, 2)');
    expect(await refusal('aaa', 'aa', 'b')).toContain('occurs 2 times in /file.txt (lines 1, 1)');
  });

  test('not found: the closest lines, and the first that differs', async () => {
    expect(await refusal('one\nfunction f() {\n  return 1;\n}\n', 'function f() {\n  return 2;\n}', 'x')).toBe(
      [
        'old_string was not found in /file.txt; what you remember of it may be out of date. The closest is lines 2 to 4; it differs first at line 3 (· is a space, → a tab):',
        '  file:       ··return 1;',
        '  old_string: ··return 2;',
        ' Read it again with ReadFile near line 2.',
      ].join('\n'),
    );
  });

  test('not found: a piece of a line leads to the line that holds most of it', async () => {
    expect(await refusal('a\nconst speed = 3; // slow\nb\n', 'speed = 4', 'x')).toContain(
      'The closest is line 2; it differs first at line 2',
    );
  });

  test('not found: more lines than the file has', async () => {
    expect(await refusal('one\ntwo\n', 'two\nthree\n', 'x')).toContain(
      'at line 3 (· is a space, → a tab):\n  file:       (the file has no such line)\n  old_string: three\n',
    );
  });

  test('not found: nothing similar', async () => {
    expect(await refusal('alpha\nbeta\n', 'quite different words', 'x')).toBe(
      'old_string was not found in /file.txt; what you remember of it may be out of date. Nothing in the file is similar. Read it with ReadFile, or find the place with Grep.',
    );
    expect(await refusal('ab', 'abc', 'x')).toContain('was not found');
    expect(await refusal('', 'abc', 'x')).toContain('Nothing in the file is similar');
  });

  test('only white space differs: it is made visible, and the text as the file has it', async () => {
    const answer = await refusal(
      'func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n',
      '    if x {\n        return 1',
      '    if y {\n        return 2',
    );
    expect(answer).toContain('it differs only in white space, first at line 2');
    expect(answer).toContain('\n  file:       →if x {\n  old_string: ····if x {\n');
    expect(answer).toContain('As the file has it: "\\tif x {\\n\\t\\treturn 1"');
    const odd = await refusal('keep\nreplace\u00a0me\u200b  \n', 'replace me', 'x');
    expect(odd).toContain('  file:       replace<U+00A0>me<U+200B>··\n');
  });

  test('bytes that are no text are shown as such', async () => {
    const path = bench.write(
      'l.txt',
      Buffer.concat([Buffer.from('日本語テキスト\ncaf'), Buffer.of(0xe9), Buffer.from(' au lait\n')]),
    );
    expect((await bench.call('EditFile', { path, old_string: 'caf\ufffd au lait', new_string: 'x' })).text).toContain(
      '  file:       caf<0xE9> au lait\n',
    );
  });

  test('line numbers of ReadFile: the text without them', async () => {
    expect(await refusal('import os\nx = 1\n', '2\tx = 1', '2\tx = 2')).toBe(
      'old_string was not found in /file.txt: it carries the line numbers that ReadFile shows, which are not in the file. Send it, and new_string, without them: "x = 1"',
    );
    // A file may hold such lines itself.
    expect(await edited('1\tone\n2\ttwo\n', '2\ttwo', '2\tTWO')).toBe('1\tone\n2\tTWO\n');
    expect(await refusal('1\tone\n2\ttwo\n', '2\ttow', 'x')).not.toContain('line numbers');
  });

  test('what may be applied already is told', async () => {
    expect(await refusal('a\nlet v = 2;\n', 'let v = 1;', 'let v = 2;')).toContain(
      'It may be already applied: new_string stands in the file once, at line 2.',
    );
    expect(await refusal('a\r\nx\r\ny\r\n', 'old\nold', 'x\ny')).toContain(
      'It may be already applied: new_string stands in the file once, at line 2.',
    );
    expect(await refusal('a\n', 'b', ' ')).not.toContain('already applied');
  });

  test.each([
    ['the same', 'same', 'same', '"old_string" and "new_string" are the same, so nothing would change.'],
    [
      'an empty old_string',
      '',
      'x',
      '"old_string" is empty. Give the text to replace; to write a new file or fill an empty one use WriteFile.',
    ],
    ['half of a character', 'same', '\ud83d', 'which no file can hold. Send whole characters.'],
  ])('%s', async (_name, old_string, new_string, problem) => {
    expect(await refusal('same\n', old_string, new_string)).toContain(problem);
  });

  test.each([
    [{ old_string: undefined }, '"old_string" is missing'],
    [{ new_string: undefined }, '"new_string" is missing'],
    [{ replace_all: 'false' }, '"replace_all" must be a boolean; it is a string.'],
    [{ new_string: null }, '"new_string" must be a string; it is null.'],
    [{ extra: 1 }, 'Unknown key "extra". Known keys: "path", "old_string", "new_string", "replace_all".'],
  ])('input %j', async (change, problem) => {
    bench.write('d.txt', 'one two\n');
    const input = { path: bench.path('d.txt'), old_string: 'one ', new_string: 'x', ...change };
    expect(await bench.call('EditFile', JSON.parse(JSON.stringify(input)))).toMatchObject({
      isError: true,
      text: expect.stringContaining(problem),
    });
    expect(text('d.txt')).toBe('one two\n');
  });

  test('a binary file', async () => {
    const bytes = Buffer.from('0123456789\0abc');
    const path = bench.write('logo.bin', bytes);
    expect(await edit('logo.bin', 'abc', 'abd')).toMatchObject({
      isError: true,
      text: `${path} is a binary file (it holds NUL bytes); EditFile changes text only. Nothing was changed.`,
    });
    expect(readFileSync(path)).toEqual(bytes);
  });

  test('what is not there, and what is no file', async () => {
    expect(await edit('nope.txt', 'a', 'b')).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no file or folder'),
    });
    expect(await bench.call('EditFile', { path: bench.root, old_string: 'a', new_string: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is a directory'),
    });
    expect(await bench.call('EditFile', { path: 'a.txt', old_string: 'a', new_string: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining(`You probably meant "${bench.path('a.txt')}"`),
    });
  });

  test('a file that a string could not hold', async () => {
    const path = bench.write('huge.log', 'x\n');
    truncateSync(path, 300 * 1024 ** 2);
    expect(await edit('huge.log', 'x', 'y')).toMatchObject({
      isError: true,
      text: `${path} has 314572800 bytes; EditFile takes up to 268435456. Change it with Bash (sed -i).`,
    });
  });
});
