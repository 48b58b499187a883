import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const write = (name: string, content: string) =>
  bench.call('WriteFile', { path: name.startsWith('/') ? name : bench.path(name), content });
const text = (name: string): string => readFileSync(bench.path(name), 'utf8');
const mode = (name: string): number => statSync(bench.path(name)).mode & 0o7777;

describe('content', () => {
  test.each(['x', 'x\n\n', '', 'a\r\nb\rc\n', '\ufeffx', '\t\u00a0\u2028'])('%j is written exactly', async (content) => {
    const bytes = Buffer.byteLength(content);
    expect(await write('new.txt', content)).toEqual({
      isError: false,
      text: `Wrote ${bytes} bytes to ${bench.path('new.txt')} (new file).`,
      metadata: { path: bench.path('new.txt'), oldBytes: null, newBytes: bytes },
    });
    expect(text('new.txt')).toBe(content);
  });

  test('long text in many scripts survives', async () => {
    const content = Array.from(
      { length: 200 },
      (_, i) => `├── ${i} ひらがな、「全角」！ 🇯🇵🇫🇷 👩‍👩‍👧‍👦 e\u0301 ${'語'.repeat(i)}\n`,
    ).join('');
    await write('jp.md', content);
    expect(readFileSync(bench.path('jp.md'))).toEqual(Buffer.from(content));
    expect(readFileSync(bench.path('jp.md')).includes(Buffer.from('\ufffd'))).toBe(false);
  });

  test('half of a character is refused', async () => {
    expect(await write('a.txt', 'x\ud83d')).toMatchObject({
      isError: true,
      text: 'WriteFile was not run: "content" holds half of a character (a lone surrogate), which no file can hold. Send the whole character.',
    });
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test('a replaced file is told with its old and new size', async () => {
    bench.write('keep.txt', 'x'.repeat(5120));
    expect((await write('keep.txt', '')).text).toBe(`Wrote 0 bytes to ${bench.path('keep.txt')} (replaced; 5120 → 0 bytes).`);
    expect(text('keep.txt')).toBe('');
    expect(await bench.call('WriteFile', { path: bench.path('keep.txt') })).toMatchObject({
      isError: true,
      text: 'WriteFile was not run: "content" is missing (The whole new content).',
    });
  });

  test('a byte order mark stays, and stays one', async () => {
    bench.write('bom.txt', '\ufeffold');
    await write('bom.txt', 'new');
    expect(text('bom.txt')).toBe('\ufeffnew');
    await write('bom.txt', '\ufeffnewer');
    expect(text('bom.txt')).toBe('\ufeffnewer');
  });
});

describe('modes, owners and names', () => {
  test('missing folders are made, and all is under the umask', async () => {
    const old = execFileSync('sh', ['-c', 'umask']).toString().trim();
    expect(old).toMatch(/^0*22$/);
    await write('new/deep/conf.yml', 'a: 1\n');
    expect([mode('new'), mode('new/deep'), mode('new/deep/conf.yml')]).toEqual([0o755, 0o755, 0o644]);
  });

  test('a stricter umask holds', () => {
    const script = `
      import { createToolBench } from ${JSON.stringify(new URL('../../test/tool-bench.ts', import.meta.url).href)};
      const bench = createToolBench({ root: ${JSON.stringify(bench.root)} });
      await bench.call('WriteFile', { path: bench.path('new/a.txt'), content: 'x' });
      await bench.close();`;
    execFileSync('sh', ['-c', 'umask 077; exec "$0" --input-type=module -e "$1"', process.execPath, script]);
    expect([mode('new'), mode('new/a.txt')]).toEqual([0o700, 0o600]);
  });

  test('an existing file keeps its mode and owner', async () => {
    const path = bench.write('run.sh', 'old');
    if (process.getuid?.() === 0) chownSync(path, 1234, 2345);
    chmodSync(path, 0o4750);
    const before = statSync(path);
    await write('run.sh', 'new');
    const { uid, gid } = statSync(path);
    expect({ uid, gid, mode: mode('run.sh'), text: text('run.sh') }).toEqual({
      uid: before.uid,
      gid: before.gid,
      mode: 0o4750,
      text: 'new',
    });
  });

  test('a link stays a link, and what it leads to is written', async () => {
    bench.write('docs/AGENTS.md', 'v1\n');
    symlinkSync('docs/AGENTS.md', bench.path('AGENTS.md'));
    symlinkSync('AGENTS.md', bench.path('CLAUDE.md'));
    await write('CLAUDE.md', 'v2\n');
    expect(text('docs/AGENTS.md')).toBe('v2\n');
    expect([readlinkSync(bench.path('CLAUDE.md')), readlinkSync(bench.path('AGENTS.md'))]).toEqual([
      'AGENTS.md',
      'docs/AGENTS.md',
    ]);
    expect(readdirSync(bench.root).toSorted()).toEqual(['AGENTS.md', 'CLAUDE.md', 'docs']);
  });

  test('a dangling link gets its target, with folders', async () => {
    symlinkSync('docs/new/later.txt', bench.path('later.txt'));
    expect(await write('later.txt', 'x\n')).toMatchObject({ isError: false });
    expect(readlinkSync(bench.path('later.txt'))).toBe('docs/new/later.txt');
    expect(text('docs/new/later.txt')).toBe('x\n');
  });

  test('both names of a hard-linked file show the new text, longer or shorter', async () => {
    bench.write('a.txt', 'old text');
    linkSync(bench.path('a.txt'), bench.path('b.txt'));
    for (const content of ['much longer than it was before', 'short', '']) {
      expect(await write('a.txt', content)).toMatchObject({ isError: false });
      expect([text('a.txt'), text('b.txt')]).toEqual([content, content]);
    }
    expect(statSync(bench.path('a.txt')).nlink).toBe(2);
    expect(readdirSync(bench.root).toSorted()).toEqual(['a.txt', 'b.txt']);
  });
});

describe('what cannot be written', () => {
  test('a directory, a FIFO, and a place below a file are errors at once, and all stays', async () => {
    mkdirSync(bench.path('dir'));
    execFileSync('mkfifo', [bench.path('p')]);
    bench.write('plain.txt', 'plain');
    symlinkSync('y', bench.path('x'));
    symlinkSync('x', bench.path('y'));
    const expected = [
      ['dir', /\/dir is a directory, not a file\./],
      ['p', /\/p is a named pipe \(FIFO\)/],
      ['plain.txt/x.txt', /^A part of \S+ is a file, not a folder\./],
      ['x', /\/x is a link that leads back to itself\./],
      ['/dev/null', /^\/dev\/null is a device/],
    ] as const;
    for (const [name, message] of expected)
      expect(await write(name, 'x')).toMatchObject({ isError: true, text: expect.stringMatching(message) });
    expect(readdirSync(bench.root).toSorted()).toEqual(['dir', 'p', 'plain.txt', 'x', 'y']);
    expect(text('plain.txt')).toBe('plain');
  });

  test('a tilde is never made a folder', async () => {
    for (const path of ['~/notes.txt', '~', '~user/x', bench.path('~/notes.txt')]) {
      expect(await bench.call('WriteFile', { path, content: 'x' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('"~"'),
      });
    }
    expect(readdirSync(bench.root)).toEqual([]);
    await bench.close();
    bench = createToolBench({ toolNames: 'snake_case' });
    expect(await bench.call('write_file', { path: '~/notes.txt', content: 'x' })).toMatchObject({ isError: true });
    expect(await bench.call('write_file', { path: 'a/~/notes.txt', content: 'x' })).toMatchObject({ isError: true });
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test('a full disk leaves the file as it was, and no other', async (context) => {
    const disk = bench.path('disk');
    mkdirSync(disk);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', disk]);
    if (status !== 0) context.skip('this user may not mount a small disk');
    try {
      const old = 'o'.repeat(100_000);
      bench.write('disk/data.json', old);
      bench.write('disk/twin.json', 'small');
      linkSync(bench.path('disk/twin.json'), bench.path('disk/other.json'));
      expect(await write('disk/data.json', 'n'.repeat(200_000))).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^The disk is full/),
      });
      expect(await write('disk/twin.json', 'n'.repeat(100_000))).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^The disk is full/),
      });
      expect(
        await bench.call('EditFile', { path: bench.path('disk/data.json'), old_string: old, new_string: 'n'.repeat(200_000) }),
      ).toMatchObject({ isError: true });
      expect([text('disk/data.json'), text('disk/twin.json'), text('disk/other.json')]).toEqual([old, 'small', 'small']);
      expect(readdirSync(disk).toSorted()).toEqual(['data.json', 'other.json', 'twin.json']);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

describe('where it is on record what the model has seen', () => {
  beforeEach(async () => {
    await bench.close();
    bench = createToolBench({ tracksSeen: true });
  });

  test('an existing file that was not read is refused', async () => {
    const path = bench.write('a.txt', 'old');
    expect(await write('a.txt', 'new')).toMatchObject({
      isError: true,
      text: `${path} exists and you have not read it; nothing was written. Read it with ReadFile first, or make a small change with EditFile.`,
    });
    expect(text('a.txt')).toBe('old');
    await bench.call('ReadFile', { path });
    expect(await write('a.txt', 'new')).toMatchObject({ isError: false });
    // What it wrote it knows.
    expect(await write('a.txt', 'newer')).toMatchObject({ isError: false });
  });

  test('one that was changed since is refused, until it is read again', async () => {
    const path = bench.write('n.md', 'alpha\nbeta\n');
    await bench.call('ReadFile', { path });
    bench.write('n.md', 'alpha\nbeta\ngamma\n');
    expect(await write('n.md', 'alpha\nBETA\n')).toMatchObject({
      isError: true,
      text: `${path} changed since you read it; nothing was written. Read it again with ReadFile, then write.`,
    });
    expect(text('n.md')).toBe('alpha\nbeta\ngamma\n');
    await bench.call('ReadFile', { path });
    expect(await write('n.md', 'x')).toMatchObject({ isError: false });
  });

  test('a file is the same by all of its names', async () => {
    const path = bench.write('real.txt', 'old');
    symlinkSync('real.txt', bench.path('link.txt'));
    await bench.call('ReadFile', { path: bench.path('link.txt') });
    expect(await bench.call('WriteFile', { path: `${bench.root}/./sub/../real.txt`, content: 'new' })).toMatchObject({
      isError: false,
    });
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('an edit of what was seen keeps it seen', async () => {
    const path = bench.write('a.txt', 'one\n');
    await bench.call('ReadFile', { path });
    await bench.call('EditFile', { path, old_string: 'one', new_string: 'two' });
    expect(await write('a.txt', 'three\n')).toMatchObject({ isError: false });
  });

  test('what ReadFile cannot take in is not overwritten', async () => {
    bench.write('big.log', Buffer.alloc(9_000_000, 'x\n'));
    bench.write('a.bin', Buffer.from('a\0b'));
    expect(await write('big.log', 'x')).toMatchObject({
      isError: true,
      text: `${bench.path('big.log')} has 9000000 bytes, more than ReadFile takes in, so you cannot know what is lost; nothing was written. If it is to be replaced, remove it first with Bash.`,
    });
    expect(await write('a.bin', 'x')).toMatchObject({
      isError: true,
      text: expect.stringContaining('is a binary file, so you cannot know what is lost'),
    });
    expect([statSync(bench.path('big.log')).size, text('a.bin')]).toEqual([9_000_000, 'a\0b']);
  });

  test('a new file needs no reading', async () => {
    expect(await write('a.txt', 'x')).toMatchObject({ isError: false });
    expect(existsSync(bench.path('a.txt'))).toBe(true);
  });
});
