import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { createServer } from 'node:net';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callAsUser, giveToUser } from '../../test/call-as-user.ts';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

const isRoot = process.getuid?.() === 0;

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const edit = (name: string, old_string: string, new_string: string, more: Readonly<Record<string, unknown>> = {}) =>
  bench.call('EditFile', { path: bench.path(name), old_string, new_string, ...more });
const text = (name: string): string => readFileSync(bench.path(name), 'utf8');
const bytes = (name: string): Buffer => readFileSync(bench.path(name));
const utf16be = (content: string): Buffer => Buffer.from(`\ufeff${content}`, 'utf16le').swap16();

describe('characters are compared as they are', () => {
  test('letters in one piece and in two differ, so one can be changed to the other', async () => {
    bench.write('a.txt', 'caf\u00e9\n');
    expect(await edit('a.txt', '\u00e9', 'e\u0301')).toMatchObject({ isError: false });
    expect(text('a.txt')).toBe('cafe\u0301\n');
    expect(await edit('a.txt', 'caf\u00e9', 'x')).toMatchObject({ isError: true });
    expect(text('a.txt')).toBe('cafe\u0301\n');
  });

  test.each([
    ['straight quotes and dashes for typographic ones', '\u201cq\u201d \u2014 end  \n', '"q" - end'],
    ['a plain space for one that does not break', 'a\u00a0b\n', 'a b'],
    ['an escape for its character', 'a\u00a0b\n', 'a\\u00a0b'],
    ['a character for its escape', 'a\\u00a0b\n', 'a\u00a0b'],
    ['a backslash and n for a line end', 'a\nb\n', 'a\\nb'],
    ['a line end for a backslash and n', 'a\\nb\n', 'a\nb'],
    ['full-width letters for ASCII', 'abc\n', '\uff41bc'],
    ['another letter case', 'Same\n', 'same'],
    ['a character that cannot be seen', 'ab\n', 'a\u200bb'],
    ['trailing blanks that the file does not have', 'a\nb\n', 'a  \nb'],
  ])('%s is not found, and all stays', async (_name, content, old_string) => {
    const path = bench.write('a.txt', content);
    utimesSync(path, 1000, 2000);
    expect(await edit('a.txt', old_string, 'x')).toMatchObject({
      isError: true,
      text: expect.stringContaining('was not found'),
    });
    expect([text('a.txt'), statSync(path).mtimeMs]).toEqual([content, 2_000_000]);
  });

  test.each(['     2\t', '2\u2192', '2: ', '2 | '])(
    'the prefix %j of a listing is not found and never written',
    async (prefix) => {
      bench.write('a.py', 'import os\nx = 1\n');
      expect(await edit('a.py', `${prefix}x = 1`, `${prefix}x = 2`)).toMatchObject({
        isError: true,
        text: expect.stringContaining('x = 1'),
      });
      expect(text('a.py')).toBe('import os\nx = 1\n');
    },
  );

  test('the signs of a replacement are plain text in every place, and where line ends are folded', async () => {
    bench.write('a.txt', 'P\r\nP\r\nQ\r\n');
    await edit('a.txt', 'P', "$&$1$$$'", { replace_all: true });
    await edit('a.txt', "$'\nQ", "$`\n$'$<n>");
    expect(text('a.txt')).toBe("$&$1$$$'\r\n$&$1$$$`\r\n$'$<n>\r\n");
  });

  test.each([
    { replace_all: 'true' },
    { replace_all: 1 },
    { old_string: 1 },
    { old_string: ['one '] },
    { new_string: {} },
    { path: null },
  ])('input %j is refused', async (change) => {
    bench.write('d.txt', 'one two\n');
    const input = { path: bench.path('d.txt'), old_string: 'one ', new_string: '', ...change };
    expect(await bench.call('EditFile', input)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^EditFile was not run: /),
    });
    expect(text('d.txt')).toBe('one two\n');
  });

  test('an empty old_string leads to WriteFile in an empty file too', async () => {
    bench.write('e.txt', '');
    expect(await edit('e.txt', '', 'x')).toMatchObject({ isError: true, text: expect.stringContaining('WriteFile') });
    expect(text('e.txt')).toBe('');
  });
});

describe('encodings', () => {
  test('UTF-16 with the high byte first keeps its mark, line ends and order', async () => {
    bench.write('res.rc', utf16be('ID 1\r\nID 2\r\n\u6f22\r\n'));
    expect(await edit('res.rc', 'ID 1\nID 2', 'ID 3\nID \u00e9\u{1f600}')).toMatchObject({ isError: false });
    expect(bytes('res.rc')).toEqual(utf16be('ID 3\r\nID \u00e9\u{1f600}\r\n\u6f22\r\n'));
  });

  test('a match never starts in the middle of a code unit', async () => {
    // The bytes of U+4100 stand there, one byte off.
    const content = utf16be('\u3041\u0042');
    bench.write('a.txt', content);
    expect(await edit('a.txt', '\u4100', 'x')).toMatchObject({ isError: true });
    expect(bytes('a.txt')).toEqual(content);
  });

  test.each([
    ['gb18030', '// \u8bbe\u7f6e\u901f\u5ea6\uff0c\u5355\u4f4d\u662f\u7c73\u6bcf\u79d2\r\nn = 1;\r\n', '\u4e2d\u6587'],
    ['cp932', '// \u3053\u308c\u306f\u30c6\u30b9\u30c8\u3067\u3059\r\nn = 1;\r\n', '\u30c6\u30b9\u30c8'],
    [
      'windows-1251',
      '// \u041f\u0440\u043e\u0432\u0435\u0440\u043e\u0447\u043d\u044b\u0439 \u0442\u0435\u043a\u0441\u0442\r\nn = 1;\r\n',
      '\u0434\u0430',
    ],
  ])('new text goes into a file in %s in its own bytes', async (encoding, content, added) => {
    bench.write('a.c', iconv.encode(content, encoding));
    expect(await edit('a.c', 'n = 1;', `n = 2; // ${added}\nm = 3;`)).toMatchObject({ isError: false });
    expect(bytes('a.c')).toEqual(iconv.encode(content.replace('n = 1;', `n = 2; // ${added}\r\nm = 3;`), encoding));
  });

  test('what an encoding lacks is refused by its name, in each of several places', async () => {
    const before = Buffer.from('perch\xe9 x, perch\xe9 x\n', 'latin1');
    bench.write('a.txt', before);
    expect(await edit('a.txt', 'x', 'x\u{1f600}', { replace_all: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining('cannot hold "\u{1f600}"'),
    });
    expect(bytes('a.txt')).toEqual(before);
  });
});

describe('modes, owners and names', () => {
  test.each(['2640', '4755', '1666', '600', '444'])('mode %s and owner stay, with one name and with two', async (digits) => {
    const mode = Number.parseInt(digits, 8);
    for (const names of [['a.php'], ['b.php', 'c.php']]) {
      const [first = '', second = first] = names;
      const path = bench.write(first, '1');
      if (isRoot) chownSync(path, 1234, 2345);
      chmodSync(path, mode);
      if (second !== first) linkSync(path, bench.path(second));
      const before = statSync(path);
      const isWritable = isRoot || (mode & 0o200) !== 0;
      expect(await edit(first, '1', '22')).toMatchObject({ isError: !isWritable });
      const after = statSync(bench.path(second));
      expect({ mode: after.mode, uid: after.uid, gid: after.gid }).toEqual({
        mode: before.mode,
        uid: before.uid,
        gid: before.gid,
      });
      expect(names.map(text)).toEqual(names.map(() => (isWritable ? '22' : '1')));
      if (second !== first) expect(statSync(path).ino).toBe(before.ino);
    }
  });

  test('as an ordinary user a file in a folder that takes no new files is left alone', () => {
    chmodSync(`${bench.root}/..`, 0o755);
    const path = bench.write('shut/a.txt', 'one\n');
    giveToUser(bench.root);
    chmodSync(bench.path('shut'), 0o555);
    const [answer] = callAsUser(bench.root, { name: 'EditFile', input: { path, old_string: 'one', new_string: 'two' } });
    chmodSync(bench.path('shut'), 0o755);
    expect([answer?.isError, text('shut/a.txt')]).toEqual([true, 'one\n']);
    expect(answer?.text).toContain('Permission denied');
    expect(readdirSync(bench.path('shut'))).toEqual(['a.txt']);
  });

  test('what is no regular file, or a link to none, is refused at once', async () => {
    execFileSync('mkfifo', [bench.path('fifo')]);
    symlinkSync('fifo', bench.path('to-fifo'));
    symlinkSync('nowhere', bench.path('dangling'));
    symlinkSync('loop', bench.path('loop'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(bench.path('socket'), resolve));
    const names = readdirSync(bench.root).toSorted();
    for (const [name, reason] of [
      ['fifo', 'named pipe'],
      ['to-fifo', 'named pipe'],
      ['socket', 'is a socket'],
      ['loop', 'leads back to itself'],
      ['dangling', 'is a link, and what it leads to does not exist'],
    ] as const)
      expect(await edit(name, 'a', 'b')).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
    expect(await bench.call('EditFile', { path: '/dev/zero', old_string: 'a', new_string: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is a device'),
    });
    server.close();
    expect(names).toEqual(['dangling', 'fifo', 'loop', 'socket', 'to-fifo']);
    expect(readlinkSync(bench.path('dangling'))).toBe('nowhere');
  });
});

describe('other writers', () => {
  test('an edit of a file that changed since it was read keeps the change, and does not make it known', async () => {
    await bench.close();
    bench = createToolBench({ tracksSeen: true });
    const path = bench.write('n.md', 'alpha\nbeta\n');
    await bench.call('ReadFile', { path });
    appendFileSync(path, 'gamma\n');
    const answer = await edit('n.md', 'beta', 'BETA');
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('had changed since you read it') });
    expect(await bench.call('WriteFile', { path, content: 'alpha\nBETA\n' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('changed since you read it'),
    });
    expect(text('n.md')).toBe('alpha\nBETA\ngamma\n');
  });

  test('edits by all names of one file at the same time are all kept', async () => {
    const letters = [...'abcdefghij'];
    for (let round = 0; round < 5; round++) {
      bench.write('a.txt', letters.join(''));
      if (round === 0) {
        linkSync(bench.path('a.txt'), bench.path('twin.txt'));
        symlinkSync('twin.txt', bench.path('link.txt'));
      }
      const names = ['a.txt', 'twin.txt', 'link.txt'];
      const answers = await Promise.all(
        letters.map((letter, i) => edit(names[i % 3] ?? '', letter, letter.toUpperCase().repeat(i * 100 + 1))),
      );
      expect(answers.filter(({ isError }) => isError)).toEqual([]);
      expect(text('twin.txt')).toBe(letters.map((letter, i) => letter.toUpperCase().repeat(i * 100 + 1)).join(''));
    }
  });
});
