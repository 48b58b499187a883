import { readFileSync, symlinkSync } from 'node:fs';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

async function read(content: string | Uint8Array, range: Readonly<Record<string, unknown>> = {}) {
  const path = bench.write('file.txt', content);
  const { text, isError } = await bench.call('ReadFile', { path, ...range });
  return { text, isError };
}

describe('encodings', () => {
  test.each([
    ['big5', '\u901f\u5ea6\u63a7\u5236\u7684\u8aaa\u660e'],
    ['cp932', '\u3053\u308c\u306f\u30c6\u30b9\u30c8\u7528\u306e\u30d5\u30a1\u30a4\u30eb\u3067\u3059\u3002'],
    ['euc-kr', '\uc774\uac83\uc740 \uc2dc\ud5d8\uc6a9 \ud30c\uc77c\uc785\ub2c8\ub2e4.'],
    [
      'windows-1251',
      '\u042d\u0442\u043e \u043f\u0440\u043e\u0432\u0435\u0440\u043e\u0447\u043d\u044b\u0439 \u0444\u0430\u0439\u043b.',
    ],
    ['windows-1252', 'Gr\u00f6\u00dfe: \u201egro\u00df\u201c \u2013 f\u00fcr \u00dcbung'],
  ])('text in %s is readable, and its encoding is named', async (encoding, line) => {
    const { text, isError } = await read(iconv.encode(`${line}\r\nn = 1;\r\n`, encoding));
    expect(isError).toBe(false);
    expect(text).toMatch(/\n\[The file is in [a-z0-9_-]+; EditFile keeps that\.\]$/);
    expect(text.split('\n').slice(0, 2)).toEqual([`1\t${line}`, '2\tn = 1;']);
  });

  test('bytes that no guess explains are shown as such, and said to be', async () => {
    const { text, isError } = await read(
      Buffer.concat([Buffer.from('日本語テキスト '), Buffer.of(0xff, 0xe9, 0x81), Buffer.from('\n')]),
    );
    expect(isError).toBe(false);
    expect(text).toMatch(/^1\t日本語テキスト \ufffd+\n\[Some bytes are no UTF-8 and stand here as \ufffd; EditFile keeps them/);
  });

  test.each([
    ['UTF-16LE', (text: string) => Buffer.from(text, 'utf16le')],
    ['UTF-16BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ] as const)('%s without a mark is an error with a conversion that fits', async (name, encode) => {
    const { text, isError } = await read(encode('alpha\nbeta\n'));
    expect(isError).toBe(true);
    expect(text).toContain(`iconv -f ${name} -t UTF-8`);
  });

  test('UTF-16 with the high byte first is read by lines, and past its end the count is right', async () => {
    const bytes = Buffer.from('\ufeffalpha\r\nbeta\u{1f600}\r\n', 'utf16le').swap16();
    expect(await read(bytes)).toMatchObject({ isError: false, text: expect.stringMatching(/^1\talpha\n2\tbeta\u{1f600}\n\[/u) });
    expect(await read(bytes, { offset: 3 })).toMatchObject({ isError: true, text: expect.stringContaining('has 2 lines;') });
  });
});

describe('lines', () => {
  test('a file that ends lines with carriage returns alone is one line, and stays a short answer', async () => {
    const { text } = await read('a\r'.repeat(2_000_000));
    expect(text).toMatch(/ \[… the line has \d+ characters; cut here …\]$/);
    expect(text.length).toBeLessThan(3000);
  });

  test('a shown line fits as old_string behind a mark and before CRLF, and both stay', async () => {
    const path = bench.write('t.json', '\ufeff{"a":1,\r\n\t"b":2}\r\n');
    const { text } = await bench.call('ReadFile', { path });
    const [first = '', second = ''] = text.split('\n').map((line) => line.slice(line.indexOf('\t') + 1));
    await bench.call('EditFile', { path, old_string: `${first}\n${second}`, new_string: `${first}\n\t"b":3}` });
    expect(readFileSync(path, 'utf8')).toBe('\ufeff{"a":1,\r\n\t"b":3}\r\n');
  });

  test.each([{ offset: '2' }, { offset: null }, { limit: -1 }, { limit: 2.5 }, { offset: Number.MAX_SAFE_INTEGER }])(
    'a range like %j is refused and prints no line',
    async (range) => {
      const { text, isError } = await read('a\nb\n', range);
      expect(isError).toBe(true);
      expect(text).not.toMatch(/^\d+\t/m);
      expect(text).not.toContain('empty');
    },
  );
});

describe('names', () => {
  test.each([
    ['re\u0301sume\u0301.md', 'r\u00e9sum\u00e9.md', 'U+0301'],
    ['Shot 5.15\u202fPM.txt', 'Shot 5.15 PM.txt', 'U+202F'],
    ['a\u00a0b.txt', 'a b.txt', 'U+00A0'],
  ])('a name that only looks like %j is told apart by its character', async (there, asked, odd) => {
    const path = bench.write(there, 'x');
    const answer = await bench.call('ReadFile', { path: bench.path(asked) });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(`Near names: ${path}.`) });
    expect(answer.text).toContain(odd);
  });

  test('a link that leads nowhere is said to be one', async () => {
    symlinkSync('nowhere.txt', bench.path('link.txt'));
    expect(await bench.call('ReadFile', { path: bench.path('link.txt') })).toMatchObject({
      isError: true,
      text: `${bench.path('link.txt')} is a link, and what it leads to does not exist. Look at it with Bash (ls -l).`,
    });
  });

  test('files of the system that could wait for ever do not', async () => {
    for (const path of ['/dev/zero', '/dev/tty', '/proc/kmsg', '/proc/self/mem'])
      expect(await bench.call('ReadFile', { path, limit: 2 })).toMatchObject({ isError: true });
  });
});
