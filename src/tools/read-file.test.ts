import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

/** Reads a file of these contents. */
async function read(
  content: string | Uint8Array,
  range: Readonly<Record<string, number>> = {},
): Promise<{ text: string; isError: boolean }> {
  const path = bench.write('file.txt', content);
  const { text, isError } = await bench.call('ReadFile', { path, ...range });
  return { text, isError };
}

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

describe('lines', () => {
  test('are numbered from 1, with a tab, and a final line end adds none', async () => {
    const shown = { text: '1\ta\n2\tb', isError: false };
    expect(await read('a\nb\n')).toEqual(shown);
    expect(await read('a\nb')).toEqual(shown);
    expect(await read('\n\n')).toEqual({ text: '1\t\n2\t', isError: false });
    expect(await read('\tif x {\n')).toEqual({ text: '1\t\tif x {', isError: false });
  });

  test('end at a line feed; a carriage return before it is not shown, and a lone one is data', async () => {
    expect(await read('alpha\r\nbeta\rcarriage\ngamma\r\n')).toEqual({
      text: '1\talpha\n2\tbeta\rcarriage\n3\tgamma',
      isError: false,
    });
  });

  test('do not show a byte order mark', async () => {
    expect(await read('\ufeff{"a":1}\n')).toEqual({ text: '1\t{"a":1}', isError: false });
  });

  test('of an empty file are none, and that is said', async () => {
    const path = bench.path('file.txt');
    expect(await read('')).toEqual({ text: `${path} is empty (0 bytes).`, isError: false });
    expect(await read('\ufeff')).toEqual({ text: `${path} is empty (3 bytes).`, isError: false });
  });

  test('come as a range, with what remains and where to go on', async () => {
    expect(await read(lines(10), { offset: 3, limit: 2 })).toEqual({
      text: '3\tline 3\n4\tline 4\n[6 more lines remain; go on with offset 5.]',
      isError: false,
    });
    expect(await read(lines(5), { limit: 4 })).toMatchObject({
      text: expect.stringMatching(/\n\[1 more line remains; go on with offset 5\.\]$/),
    });
    expect(await read(lines(5), { offset: 4 })).toEqual({ text: '4\tline 4\n5\tline 5', isError: false });
    expect(await read(lines(5), { offset: 1, limit: 5 })).toMatchObject({ text: expect.not.stringContaining('remain') });
  });

  test('are 2,000 unless it is said otherwise', async () => {
    const { text } = await read(lines(2500));
    expect(text.split('\n')).toHaveLength(2001);
    expect(text.endsWith('\n2000\tline 2000\n[500 more lines remain; go on with offset 2001.]')).toBe(true);
  });

  test('past the end are an error with the number of lines', async () => {
    const path = bench.path('file.txt');
    for (const offset of [6, 100]) {
      expect(await read(lines(5), { offset })).toEqual({
        text: `${path} has 5 lines; offset ${offset} is past its end. Give an offset from 1 to 5.`,
        isError: true,
      });
    }
    expect(await read('a', { offset: 2 })).toMatchObject({ text: expect.stringContaining('has 1 line;') });
  });

  test.each([{ offset: 0 }, { offset: -3 }, { limit: 0 }, { offset: 1.5 }])('a range like %j is refused', async (range) => {
    expect(await read(lines(5), range)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^ReadFile was not run: "(offset|limit)"/),
    });
  });
});

describe('long lines', () => {
  test('are cut at characters, with their length', async () => {
    expect(await read(`${'é'.repeat(2000)}\nb\n`)).toEqual({ text: `1\t${'é'.repeat(2000)}\n2\tb`, isError: false });
    expect(await read(`${'😀'.repeat(2001)}\r\nb\n`)).toEqual({
      text: `1\t${'😀'.repeat(2000)} [… the line has 2001 characters; cut here …]\n2\tb`,
      isError: false,
    });
    expect(await read(`${'a'.repeat(2000)}\r\n`)).toEqual({ text: `1\t${'a'.repeat(2000)}`, isError: false });
  });

  test('of megabytes stay a short answer', async () => {
    const { text } = await read(`start${'x'.repeat(4_000_000)}END`);
    expect(text).toBe(`1\tstart${'x'.repeat(1995)} [… the line has 4000008 characters; cut here …]`);
  });

  test('stop the answer before 100,000 characters, and the rest can be read on', async () => {
    const content = Array.from({ length: 300 }, (_, i) => `${i} ${'😀'.repeat(500)}\n`).join('');
    const { text } = await read(content);
    expect(text.length).toBeLessThanOrEqual(100_000);
    expect(text.length).toBeGreaterThan(97_000);
    const [, left, next] = /\n\[(\d+) more lines remain; go on with offset (\d+)\.\]$/.exec(text) ?? [];
    expect(text).toContain(`\n${Number(next) - 1}\t${Number(next) - 2} 😀`);
    expect(Number(left) + Number(next) - 1).toBe(300);
    expect((await read(content, { offset: Number(next), limit: 1 })).text).toMatch(
      new RegExp(`^${next}\t${Number(next) - 1} 😀`),
    );
  });
});

describe('large files', () => {
  test('ten lines at the start of 4 GB do not read the rest', async () => {
    const path = bench.write('sparse.log', lines(100));
    truncateSync(path, 4 * 1024 ** 3);
    const answer = await bench.call('ReadFile', { path, limit: 10 });
    expect(answer).toMatchObject({ isError: false, metadata: { sizeBytes: 4 * 1024 ** 3, lines: 10 } });
    expect(answer.text).toMatch(/^1\tline 1\n(.*\n){8}10\tline 10\n\[more than 90 more lines remain; go on with offset 11\.\]$/);
  });

  test('a line of 4 GB is not followed to its end', async () => {
    const path = bench.write('sparse.log', `first\n${'x'.repeat(600)}`);
    truncateSync(path, 4 * 1024 ** 3);
    const { text, isError } = await bench.call('ReadFile', { path });
    expect(isError).toBe(false);
    expect(text).toMatch(
      /^1\tfirst\n2\tx{600}\0{1400} \[… the line has more than \d+ characters; cut here …\]\n\[an unknown number of lines remain; go on with offset 3\.\]$/,
    );
  });

  test('lines far behind the window are counted up to a bound', async () => {
    const path = bench.write('big.log', Buffer.alloc(9_000_000, 'abcdefgh\n'));
    expect((await bench.call('ReadFile', { path, offset: 999_999 })).text).toBe('999999\tabcdefgh\n1000000\tabcdefgh');
    expect((await bench.call('ReadFile', { path, limit: 1 })).text).toBe(
      '1\tabcdefgh\n[more than 524287 more lines remain; go on with offset 2.]',
    );
    truncateSync(path, 200 * 1024 ** 2);
    expect((await bench.call('ReadFile', { path, limit: 1 })).text).toMatch(
      /^1\tabcdefgh\n\[more than 524287 more lines remain; go on with offset 2\.\]$/,
    );
  });

  test('an aborted read of a large file stops', async () => {
    const path = bench.write('big.log', Buffer.alloc(9_000_000, 'abcdefgh\n'));
    await expect(bench.call('ReadFile', { path, offset: 900_000 }, AbortSignal.abort())).rejects.toThrow('abort');
  });
});

describe('what is no text', () => {
  test('a NUL in the first 512 bytes is a binary, and what can be done is said', async () => {
    const { text, isError } = await read(Buffer.concat([Buffer.alloc(511, 'a'), Buffer.from('\0b')]));
    expect(isError).toBe(true);
    expect(text).toMatch(/file\.txt is a binary file \(it holds NUL bytes\)\..* Bash: file, or xxd/);
    expect((await read(Buffer.concat([Buffer.alloc(512, 'a'), Buffer.from('\0b')]))).isError).toBe(false);
  });

  test('stray bytes are shown as such', async () => {
    const { text } = await read(Buffer.concat([Buffer.from('日本語テキスト caf'), Buffer.of(0xe9), Buffer.from('\n')]));
    expect(text).toMatch(/^1\t日本語テキスト caf\ufffd\n/);
  });

  test.each([
    ['a directory', 'dir', /\/dir is a directory, not a file\. List it with Glob \(pattern "\*", path "\S+\/dir"\)\.$/],
    ['a FIFO', 'fifo', /\/fifo is a named pipe \(FIFO\); reading it could wait for ever\. It was not opened\.$/],
    ['a link to a FIFO', 'to-fifo', /\/to-fifo is a named pipe/],
    ['a socket', 'socket', /\/socket is a socket, not a file\. It was not opened\.$/],
    ['a device', '/dev/zero', /^\/dev\/zero is a device, not a file, and may have no end\./],
    ['a cycle of links', 'x', /\/x is a link that leads back to itself\. Use the path of a real file\.$/],
    ['a path below a file', 'plain.txt/x', /^A part of \S+\/plain\.txt\/x is a file, not a folder\. Check the path with Glob\.$/],
  ])('%s is an error at once', async (_name, name, expected) => {
    mkdirSync(bench.path('dir'));
    bench.write('plain.txt', 'x');
    execFileSync('mkfifo', [bench.path('fifo')]);
    symlinkSync('fifo', bench.path('to-fifo'));
    symlinkSync('y', bench.path('x'));
    symlinkSync('x', bench.path('y'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(bench.path('socket'), resolve));
    try {
      const path = name.startsWith('/') ? name : bench.path(name);
      expect(await bench.call('ReadFile', { path })).toMatchObject({ isError: true, text: expect.stringMatching(expected) });
    } finally {
      server.close();
    }
  });

  test('files that say they are empty and are not are read', async () => {
    expect((await bench.call('ReadFile', { path: '/proc/self/status' })).text).toMatch(/^1\tName:\t/);
  });
});

describe('paths', () => {
  test('what is not there comes with near names', async () => {
    for (const name of ['config.json', 'Config.yml', 'conf.json', 'other.txt']) bench.write(name, 'x');
    expect(await bench.call('ReadFile', { path: bench.path('confg.json') })).toMatchObject({
      isError: true,
      text: `There is no file or folder ${bench.path('confg.json')}. Near names: ${bench.path('conf.json')}, ${bench.path('config.json')}.`,
    });
    expect((await bench.call('ReadFile', { path: bench.path('quite-different') })).text).toMatch(
      /quite-different\. Find it with Glob\.$/,
    );
    expect((await bench.call('ReadFile', { path: bench.path('no/such/x.ts') })).text).toBe(
      `There is no file or folder ${bench.path('no/such/x.ts')}: ${bench.path('no/such')} does not exist. Find it with Glob.`,
    );
  });

  test('letter case, composed letters and odd spaces are near', async () => {
    bench.write('re\u0301sume\u0301.md', 'x');
    bench.write('Shot 5.15\u202fPM.txt', 'x');
    expect((await bench.call('ReadFile', { path: bench.path('r\u00e9sum\u00e9.md') })).text).toContain(
      `Near names: ${bench.path('re\u0301sume\u0301.md')}.`,
    );
    expect((await bench.call('ReadFile', { path: bench.path('shot 5.15 pm.txt') })).text).toContain(
      `Near names: ${bench.path('Shot 5.15\u202fPM.txt')}.`,
    );
  });

  test.each([
    ['', '"path" is empty. Give the absolute path.'],
    ['~/x', '"path" starts with "~", which is not expanded here. Give the absolute path.'],
    ['~user/x', '"path" starts with "~", which is not expanded here. Give the absolute path.'],
    ['a\0b', '"path" holds a NUL character, which no path can.'],
  ])('%j is refused', async (path, problem) => {
    expect(await bench.call('ReadFile', { path })).toMatchObject({ isError: true, text: `ReadFile was not run: ${problem}` });
  });

  test('a relative path comes with the one that was meant', async () => {
    expect(await bench.call('ReadFile', { path: '../x/./a.ts' })).toMatchObject({
      isError: true,
      text: `ReadFile was not run: "path" must be an absolute path. You probably meant "${bench.path('../x/a.ts')}".`,
    });
  });

  test('one that is too long is said to be', async () => {
    expect((await bench.call('ReadFile', { path: bench.path('a'.repeat(300)) })).text).toContain('a name that is too long');
  });
});
