import { mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const SCOPE =
  'Not looked at: .git, .hg, .svn, node_modules, vendor, .idea, __pycache__ and the like, what ignore files exclude (include_ignored looks there too), and what links lead to.';

function write(...names: readonly string[]): void {
  for (const name of names) bench.write(name, 'x\n');
}

const glob = (pattern: string, more: Readonly<Record<string, unknown>> = {}) => bench.call('Glob', { pattern, ...more });

/** The names that a search found, sorted. */
async function found(pattern: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const { text, isError } = await glob(pattern, more);
  expect(isError).toBe(false);
  const [head = '', ...lines] = text.split('\n');
  if (head.startsWith('No file')) return [];
  const names = lines.slice(0, lines.includes('') ? lines.indexOf('') : lines.length);
  expect(head).toMatch(new RegExp(`^${names.length} files? under `));
  return names.toSorted();
}

describe('the answer', () => {
  test('is the newest first, relative to the root that it names, and says what was not looked at', async () => {
    write('old.ts', 'src/new.ts', 'src/middle.ts', 'other.js');
    utimesSync(bench.path('old.ts'), 1000, 1000);
    utimesSync(bench.path('src/middle.ts'), 2000, 2000);
    utimesSync(bench.path('src/new.ts'), 3000, 3000);
    expect(await glob('**/*.ts')).toEqual({
      isError: false,
      text: `3 files under ${bench.root}, newest first:\nsrc/new.ts\nsrc/middle.ts\nold.ts\n\n${SCOPE}`,
      metadata: { root: bench.root, total: 3, shown: 3 },
    });
  });

  test('files of one time are sorted by path', async () => {
    write('b', 'a', 'c/d', 'B');
    for (const name of ['b', 'a', 'c/d', 'B']) utimesSync(bench.path(name), 1000, 1000);
    expect((await glob('**')).text.split('\n').slice(1, 5)).toEqual(['B', 'a', 'b', 'c/d']);
  });

  test('has at most 200 files and says how many more there are', async () => {
    for (let i = 0; i < 205; i++) write(`f${i}.txt`);
    utimesSync(bench.path('f7.txt'), 1000, 1000);
    const { text, metadata } = await glob('*.txt');
    expect(metadata).toEqual({ root: bench.root, total: 205, shown: 200 });
    expect(text).toMatch(/^205 files under /);
    expect(text).toContain('\n\n5 more not shown: narrow the pattern or the path.\n');
    expect(text.split('\n').filter((line) => line.endsWith('.txt'))).toHaveLength(200);
    expect(text).not.toContain('\nf7.txt');
  });

  test('says in words that nothing was found', async () => {
    write('a.ts');
    expect(await glob('*.rs')).toEqual({
      isError: false,
      text: `No file matches *.rs under ${bench.root}.\n\n${SCOPE}`,
      metadata: { root: bench.root, total: 0, shown: 0 },
    });
    write('src/a.ts');
    expect((await glob('src')).text).toContain('It is a folder: "src/**" finds what is in it.');
  });

  test('shows a name with a line end once, on one line', async () => {
    write('we\nird.txt', ' lead.txt');
    expect(await found('*.txt')).toEqual([' lead.txt', 'we\\nird.txt']);
  });
});

describe('what is looked at', () => {
  test('folders that hold no source are left out, dotfiles are seen', async () => {
    write('a.js', '.env', '.github/w.yml', 'sub/b.js');
    write(
      '.git/HEAD',
      'node_modules/m/i.js',
      'sub/node_modules/m/i.js',
      'vendor/v.js',
      '.idea/w.xml',
      '__pycache__/c.pyc',
      '.venv/v.py',
    );
    expect(await found('**')).toEqual(['.env', '.github/w.yml', 'a.js', 'sub/b.js']);
    expect(await found('node_modules/**/*.js')).toEqual([]);
    expect(await found('**/*.js', { include_ignored: true })).toEqual(
      ['a.js', 'node_modules/m/i.js', 'sub/b.js', 'sub/node_modules/m/i.js', 'vendor/v.js'].toSorted(),
    );
    expect((await glob('*.js', { include_ignored: true })).text).toContain(
      'Ignored files were looked at too. Not looked at: what links lead to.',
    );
  });

  test('an excluded folder that is asked for by name is searched', async () => {
    write('node_modules/m/i.js');
    expect(await found('**/*.js', { path: bench.path('node_modules') })).toEqual(['m/i.js']);
    expect(await found('node_modules/m/i.js')).toEqual(['node_modules/m/i.js']);
  });

  test('ignore files hold without a repository too', async () => {
    write('keep.js', 'dist/out.js', 'x.log');
    bench.write('.gitignore', 'dist/\n*.log\n');
    expect(await found('**')).toEqual(['.gitignore', 'keep.js']);
    expect(await found('**', { include_ignored: true })).toEqual(['.gitignore', 'dist/out.js', 'keep.js', 'x.log']);
  });

  test('a folder behind a link is searched where it is named, and else said to be left out', async () => {
    const away = join(bench.root, '..', 'away');
    mkdirSync(join(away, 'deep'), { recursive: true });
    bench.write('../away/f.txt', 'x');
    bench.write('../away/deep/g.txt', 'x');
    symlinkSync(away, bench.path('link'));
    expect(await found('link/*.txt')).toEqual(['link/f.txt']);
    expect(await found('link/deep/*.txt')).toEqual(['link/deep/g.txt']);
    expect(await found('*.txt', { path: bench.path('link') })).toEqual(['f.txt']);
    expect((await glob('**/*.txt')).text).toContain('what links lead to');
  });

  test('a folder behind a link is part of what the call touches', () => {
    const tool = bench.registry.get('Glob');
    expect(tool?.footprint({ pattern: 'link/*.txt' }, { cwd: '/w' })).toEqual({
      extent: 'listed',
      reads: [
        { kind: 'file', path: '/w' },
        { kind: 'file', path: '/w/link' },
      ],
      writes: [],
    });
    expect(tool?.footprint({ pattern: '/etc/*.conf' }, { cwd: '/w' })).toMatchObject({ reads: [{ kind: 'file', path: '/etc' }] });
  });

  test('a file that vanishes in the middle does no harm', async () => {
    for (let i = 0; i < 100; i++) write(`f${i}.txt`);
    const churn = setInterval(() => {
      renameSync(bench.path('f1.txt'), bench.path('gone.tmp'));
      renameSync(bench.path('gone.tmp'), bench.path('f1.txt'));
    }, 0);
    try {
      for (let i = 0; i < 10; i++) expect((await glob('*.txt')).isError).toBe(false);
    } finally {
      clearInterval(churn);
    }
  });
});

describe('patterns', () => {
  test('a path is a pattern, whatever brackets its names hold', async () => {
    write('app/[id]/page.tsx', 'app/sign-in/[[...sign-in]]/page.tsx', 'app/i/page.tsx');
    expect(await found('app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx']);
    expect(await found('app/**/[[...sign-in]]/page.tsx')).toEqual(['app/sign-in/[[...sign-in]]/page.tsx']);
    expect(await found('app/[id]/*')).toEqual(['app/[id]/page.tsx']);
    expect(await found('app/\\[id\\]/*.tsx')).toEqual(['app/[id]/page.tsx']);
    expect(await found('app/[[]id]/*.tsx')).toEqual(['app/[id]/page.tsx']);
    // No folder has this name, so it is a class.
    expect(await found('app/[ij]/page.tsx')).toEqual(['app/i/page.tsx']);
    expect(await found('[...')).toEqual([]);
  });

  test('groups and other punctuation are names', async () => {
    write('app/(shop)/cart/page.tsx', 'app/routes/$org+/x.(y).tsx', 'app/@modal/page.tsx', 'a b/c d.tsx');
    expect(await found('app/**/*.tsx')).toEqual([
      'app/(shop)/cart/page.tsx',
      'app/@modal/page.tsx',
      'app/routes/$org+/x.(y).tsx',
    ]);
    expect(await found('app/(shop)/**/*.tsx')).toEqual(['app/(shop)/cart/page.tsx']);
    expect(await found('a b/*')).toEqual(['a b/c d.tsx']);
  });

  test('absolute and dotted patterns work, and letter case counts', async () => {
    write('src/a.ts', 'src/B.TS', 'src\\*.ts');
    expect(await found(bench.path('src/*.ts'))).toEqual(['src/a.ts']);
    expect(await found('./src/*.ts')).toEqual(['src/a.ts']);
    expect(await found('src/*.TS')).toEqual(['src/B.TS']);
    expect(await found('src\\*.ts')).toEqual(['src\\*.ts']);
    expect(await found('../project/src/a.ts')).toEqual(['a.ts']);
  });

  test('an absolute pattern outside of the root names the folder that it searched', async () => {
    bench.write('../away/a.conf', 'x');
    const { text } = await glob(join(bench.root, '..', 'away', '*.conf'));
    expect(text).toMatch(new RegExp(`^1 file under ${join(bench.root, '..', 'away')}, newest first:\na\\.conf\n`));
  });
});

describe('refusals', () => {
  test.each([
    ['an empty pattern', { pattern: ' ' }, '"pattern" is empty. Use "**/*" for every file.'],
    ['a NUL', { pattern: 'a\0' }, '"pattern" holds a NUL character, which no name can.'],
    ['an endless pattern', { pattern: 'a'.repeat(4001) }, '"pattern" is longer than 4000 characters. Use a shorter one.'],
    [
      'a home folder',
      { pattern: '*', path: '~/x' },
      '"path" starts with "~", which is not expanded here. Give the absolute path.',
    ],
  ])('%s', async (_name, input, problem) => {
    expect(await bench.call('Glob', input)).toMatchObject({ isError: true, text: `Glob was not run: ${problem}` });
  });

  test('a relative path comes with the absolute one that was meant', async () => {
    expect(await glob('*', { path: 'src' })).toMatchObject({
      isError: true,
      text: `Glob was not run: "path" must be an absolute path. You probably meant "${bench.path('src')}".`,
    });
  });

  test('a folder that is not there is no honest miss', async () => {
    write('sources/a.ts');
    const { text, isError } = await glob('*', { path: bench.path('source') });
    expect(isError).toBe(true);
    expect(text).toContain(bench.path('source'));
    expect(text).toContain(`Near names: ${bench.path('sources')}.`);
    expect(await glob('*', { path: bench.path('sources/a.ts') })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is not a folder'),
    });
  });

  test('an aborted search throws, and answers nothing', async () => {
    await expect(bench.call('Glob', { pattern: '**' }, AbortSignal.abort())).rejects.toThrow('abort');
  });
});
