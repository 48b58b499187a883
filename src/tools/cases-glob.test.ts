import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

/** The names that a search found, in its order. */
async function found(pattern: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const { text, isError } = await bench.call('Glob', { pattern, ...more });
  expect(isError).toBe(false);
  const [head = '', ...lines] = text.split('\n');
  return head.startsWith('No file') ? [] : lines.slice(0, lines.includes('') ? lines.indexOf('') : lines.length);
}

const write = (...names: readonly string[]): void => names.forEach((name) => void bench.write(name, 'x\n'));

describe('names', () => {
  test('composed letters find decomposed ones and the other way, in folders too', async () => {
    write('e\u0301tude/re\u0301sume\u0301.txt');
    for (const pattern of ['**/*\u00e9*', '\u00e9tude/*', '**/r\u00e9sum\u00e9.txt', '*/*e\u0301*'])
      expect(await found(pattern)).toEqual(['e\u0301tude/re\u0301sume\u0301.txt']);
  });

  test('odd names come once, on a line of their own', async () => {
    write('we\nird.txt', 'cr\rx.txt', ' lead.txt', 'trail.txt ', "it's.txt", '-n.txt', '*.txt', '\u2028.txt');
    writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/bad`), Buffer.of(0xff), Buffer.from('.txt')]), 'x');
    expect((await found('*.txt*')).toSorted()).toEqual(
      [
        ' lead.txt',
        '*.txt',
        '-n.txt',
        'bad\ufffd.txt',
        'cr\\rx.txt',
        "it's.txt",
        'trail.txt ',
        'we\\nird.txt',
        '\u2028.txt',
      ].toSorted(),
    );
    expect(await found('\\*.txt')).toEqual(['*.txt']);
  });

  test('files of one time are in one order, however often it is asked', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `d${i % 7}/${'aBc\u00e9'[i % 4]}${i}.txt`);
    write(...names);
    for (const name of names) utimesSync(bench.path(name), 1000, 1000);
    const first = await found('**/*.txt');
    expect(first).toHaveLength(60);
    for (let i = 0; i < 5; i++) expect(await found('**/*.txt')).toEqual(first);
    expect(first).toEqual(names.toSorted());
  });
});

test('files and folders that come and go meanwhile do no harm, and what stays is found', async () => {
  write(...Array.from({ length: 100 }, (_, i) => `stays/${i % 10}/${i}.txt`));
  const churn = spawn(
    'sh',
    ['-c', 'while :; do mkdir -p gone/a/b; : > gone/a/x.txt; : > gone/a/b/y.txt; : > up; rm -rf gone; done'],
    { cwd: bench.root, stdio: 'ignore' },
  );
  try {
    while (!existsSync(bench.path('up'))) await sleep(5);
    for (let i = 0; i < 8; i++) {
      const names = await found('**/*.txt', { path: bench.root });
      expect(new Set(names).size).toBe(names.length);
      expect((await found('stays/3/*.txt')).length).toBe(10);
    }
  } finally {
    churn.kill('SIGKILL');
    await once(churn, 'close');
  }
});

describe('links', () => {
  test('a folder that leads back to itself ends', async () => {
    write('a.txt', 'sub/b.txt');
    symlinkSync('.', bench.path('loop'));
    symlinkSync('..', bench.path('sub/up'));
    expect((await found('**/*.txt')).toSorted()).toEqual(['a.txt', 'sub/b.txt']);
    expect((await found('loop/**/*.txt')).toSorted()).toEqual(['loop/a.txt', 'loop/sub/b.txt']);
    expect(await found('loop/loop/loop/a.txt')).toEqual(['loop/loop/loop/a.txt']);
  });

  test('links through links are followed where they are named, and a file behind one is found', async () => {
    mkdirSync(bench.path('../away'));
    bench.write('../away/f.txt', 'x');
    symlinkSync('../away', bench.path('one'));
    symlinkSync('one', bench.path('two'));
    expect(await found('two/*.txt')).toEqual(['two/f.txt']);
    expect(await found('two/f.txt')).toEqual(['two/f.txt']);
    expect(await found('*', { path: bench.path('two') })).toEqual(['f.txt']);
    expect(await found('f.txt', { path: `${bench.path('two')}/` })).toEqual(['f.txt']);
  });

  test('a path that is a file, a link that leads nowhere, or below a file is an error that names it', async () => {
    write('a.txt');
    symlinkSync('nowhere', bench.path('dangling'));
    for (const name of ['a.txt', 'dangling', 'a.txt/b', 'no/such'])
      expect(await bench.call('Glob', { pattern: '*', path: bench.path(name) })).toMatchObject({
        isError: true,
        text: expect.stringContaining(bench.path(name)),
      });
  });
});

describe('patterns', () => {
  test('one that names a file as it stands finds it, whatever signs it holds', async () => {
    const names = ['app/[...all]/(x)/@m/$org+/x.(y).tsx', '{a,b}/!x.ts', 'q?/a.ts', '[!a]/a.ts', 'a,b/#c.ts'];
    write(...names, 'a/!x.ts', 'qq/a.ts', 'b/a.ts');
    for (const name of names) {
      expect(await found(name)).toEqual([name]);
      expect(await found(bench.path(name))).toEqual([name]);
      expect(await found(`./${name}`)).toEqual([name]);
    }
  });

  test.each(['[', '[]', '[!', '{', '{a,', '\\', '[z-a]*', '**[', '[[...', '(', ')', '+', '$', '!*'])(
    '%j never throws',
    async (pattern) => {
      write('a.txt');
      expect(await found(pattern)).toEqual([]);
    },
  );
});
