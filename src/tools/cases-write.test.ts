import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callAsUser, giveToUser } from '../../test/call-as-user.ts';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const write = (name: string, content: string) => bench.call('WriteFile', { path: bench.path(name), content });
const text = (name: string): string => readFileSync(bench.path(name), 'utf8');

describe('a name that looks like one that is there', () => {
  test.each([
    ['re\u0301sume\u0301.md', 'r\u00e9sum\u00e9.md', /U\+0301/],
    ['r\u00e9sum\u00e9.md', 're\u0301sume\u0301.md', /U\+00E9/],
    ['Shot 5.15\u202fPM.txt', 'Shot 5.15 PM.txt', /U\+202F/],
    ['a b.txt', 'a\u00a0b.txt', /U\+00A0/],
    ['\u212b.txt', 'A\u030a.txt', /U\+212B/],
  ])('%j makes no twin of %j', async (there, asked, odd) => {
    const path = bench.write(there, 'old');
    const answer = await write(asked, 'new');
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(odd) });
    expect(answer.text).toContain(path);
    expect(readdirSync(bench.root)).toEqual([there]);
    expect(await write(there, 'new')).toMatchObject({ isError: false });
    expect(text(there)).toBe('new');
  });

  test('names that can be told apart are written', async () => {
    for (const name of ['a.txt', 'A.txt', 'a .txt', '\uff41.txt', '\u00e9.txt', 'e.txt'])
      expect(await write(name, 'x')).toMatchObject({ isError: false });
    expect(readdirSync(bench.root)).toHaveLength(6);
  });
});

describe('links', () => {
  test('a link through links, with folders between, is written at its end', async () => {
    bench.write('real/deep/a.txt', 'old');
    symlinkSync('real', bench.path('folder'));
    symlinkSync('folder/deep', bench.path('deep'));
    symlinkSync(bench.path('deep/a.txt'), bench.path('a.txt'));
    symlinkSync('deep/new.txt', bench.path('new.txt'));
    expect(await write('a.txt', 'new')).toMatchObject({ isError: false });
    expect(await write('new.txt', 'made')).toMatchObject({ isError: false });
    expect([text('real/deep/a.txt'), text('real/deep/new.txt')]).toEqual(['new', 'made']);
    expect(['folder', 'deep', 'a.txt', 'new.txt'].map((name) => readlinkSync(bench.path(name)))).toEqual([
      'real',
      'folder/deep',
      bench.path('deep/a.txt'),
      'deep/new.txt',
    ]);
  });

  test('a link to a folder or a cycle through a folder is an error, and all stays', async () => {
    mkdirSync(bench.path('folder'));
    symlinkSync('folder', bench.path('link'));
    symlinkSync('y/z', bench.path('x'));
    symlinkSync('x', bench.path('y'));
    expect(await write('link', 'x')).toMatchObject({ isError: true, text: expect.stringContaining('is a directory') });
    for (const name of ['x', 'y', 'x/new.txt'])
      expect(await write(name, 'x')).toMatchObject({ isError: true, text: expect.stringContaining('leads back to itself') });
    expect(readdirSync(bench.root).toSorted()).toEqual(['folder', 'link', 'x', 'y']);
    expect(readdirSync(bench.path('folder'))).toEqual([]);
  });
});

describe('what cannot be written leaves nothing behind', () => {
  test('a socket, a folder that holds something, and a place far below a file', async () => {
    bench.write('full/a.txt', 'a');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(bench.path('socket'), resolve));
    for (const name of ['socket', 'full', 'full/a.txt/b/c/d.txt'])
      expect(await write(name, 'x')).toMatchObject({ isError: true });
    server.close();
    expect(readdirSync(bench.path('full'))).toEqual(['a.txt']);
    expect(text('full/a.txt')).toBe('a');
  });

  test('as an ordinary user a folder that takes no new files', () => {
    chmodSync(`${bench.root}/..`, 0o755);
    bench.write('shut/a.txt', 'old');
    giveToUser(bench.root);
    chmodSync(bench.path('shut'), 0o555);
    const answers = callAsUser(
      bench.root,
      { name: 'WriteFile', input: { path: bench.path('shut/a.txt'), content: 'new' } },
      { name: 'WriteFile', input: { path: bench.path('shut/b.txt'), content: 'new' } },
      { name: 'WriteFile', input: { path: bench.path('shut/deep/er/b.txt'), content: 'new' } },
    );
    chmodSync(bench.path('shut'), 0o755);
    for (const answer of answers)
      expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/^Permission denied: /) });
    expect(readdirSync(bench.path('shut'))).toEqual(['a.txt']);
    expect(text('shut/a.txt')).toBe('old');
  });

  test.each([[null], [1], [['x']], [{ text: 'x' }]])('content %j is refused', async (content) => {
    bench.write('keep.txt', 'kept');
    expect(await bench.call('WriteFile', { path: bench.path('keep.txt'), content })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^WriteFile was not run: "content"/),
    });
    expect(text('keep.txt')).toBe('kept');
  });
});

test('text whose characters lie across every edge of a buffer is written as it is', async () => {
  for (const size of [4096, 16_384, 65_536, 1_048_576]) {
    const content = `${'x'.repeat(size - 2)}\u{1f600}${'\u3042'.repeat(size / 4)}\u{1f468}\u200d\u{1f469}\r\n\t\u0000`;
    expect(await write('long.txt', content)).toMatchObject({ isError: false });
    expect(readFileSync(bench.path('long.txt'))).toEqual(Buffer.from(content));
  }
});
