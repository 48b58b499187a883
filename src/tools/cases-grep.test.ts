import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { setImmediate as tick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callAsUser, giveToUser } from '../../test/call-as-user.ts';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const grep = (pattern: string, more: Readonly<Record<string, unknown>> = {}) => bench.call('Grep', { pattern, ...more });

/** The lines between the head and the notes. */
async function lines(pattern: string, more: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const { text, isError } = await grep(pattern, more);
  expect(isError).toBe(false);
  return text.startsWith('No ') ? [] : (text.split('\n\n')[0]?.split('\n').slice(1) ?? []);
}

describe('a search that is stopped', () => {
  test.each([
    ['over one long line', '.{0,300}(x|y).{0,300}', { glob: 'big.txt' }],
    ['with context', 'abc', { context: 5 }],
    ['that counts', '(a|ab)(c|bcd)*', { output_mode: 'count' }],
  ])('%s ends with the abort, and the next one is normal', async (_name, pattern, more) => {
    bench.write('big.txt', 'abc '.repeat(5_000_000));
    bench.write('many.txt', 'abc\n'.repeat(500_000));
    bench.write('small.txt', 'needle\n');
    const stop = new AbortController();
    const call = bench.call('Grep', { pattern, ...more }, stop.signal);
    const ended = call.then(
      () => 'answered',
      (thrown: unknown) => String(thrown),
    );
    for (let i = 0; i < 3; i++) await tick();
    stop.abort();
    expect(await ended).toMatch(/abort/i);
    expect(await lines('needle')).toEqual(['small.txt:1: needle']);
  });
});

describe('what is in the way', () => {
  test('as an ordinary user what cannot be read, links that lead nowhere and loops cost no match', () => {
    chmodSync(`${bench.root}/..`, 0o755);
    bench.write('ok.txt', 'needle\n');
    bench.write('locked/a.txt', 'needle\n');
    const secret = bench.write('secret.txt', 'needle\n');
    mkdirSync(bench.path('sub'));
    giveToUser(bench.root);
    symlinkSync('missing', bench.path('gone'));
    symlinkSync('..', bench.path('sub/up'));
    symlinkSync('self', bench.path('self'));
    chmodSync(secret, 0o000);
    chmodSync(bench.path('locked'), 0o000);
    const answers = callAsUser(
      bench.root,
      { name: 'Grep', input: { pattern: 'needle' } },
      { name: 'Grep', input: { pattern: 'needle', output_mode: 'count' } },
      { name: 'Grep', input: { pattern: 'needle', path: bench.path('sub/up') } },
      { name: 'Grep', input: { pattern: 'none' } },
    );
    chmodSync(bench.path('locked'), 0o755);
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    for (const { text } of answers) expect(text).toMatch(/\nSkipped, not readable: (locked, secret\.txt|secret\.txt, locked)\.$/);
    expect(answers.slice(0, 3).map(({ text }) => text.split('\n').slice(0, 2))).toEqual([
      [`1 match in 1 file under ${bench.root}:`, 'ok.txt:1: needle'],
      [`1 match in 1 file under ${bench.root}:`, 'ok.txt: 1'],
      [`1 match in 1 file under ${bench.path('sub/up')}:`, 'ok.txt:1: needle'],
    ]);
  });
});

describe('values that look like options', () => {
  test.each(['--', '-', '--files', '-x', '--help', '-V', '--hostname-bin=touch pwned', '-r$0'])(
    'the pattern %j is text',
    async (pattern) => {
      bench.write('a.txt', `say ${pattern} here\n`);
      bench.write('--pre', 'x\n');
      const [line] = await lines(pattern.replaceAll('$', '\\$'), { path: bench.path('a.txt') });
      expect(line).toBe(`a.txt:1: say ${pattern} here`);
      expect(existsSync(bench.path('pwned'))).toBe(false);
    },
  );

  test('so are a path and a glob, in both presentations', async () => {
    bench.write('-n.txt', 'needle\n');
    bench.write('--pre=x/--files', 'needle\n');
    expect(await lines('needle', { glob: '-n.txt' })).toEqual(['-n.txt:1: needle']);
    expect(await lines('needle', { glob: '--pre=x/**' })).toEqual(['--pre=x/--files:1: needle']);
    expect(await lines('needle', { path: bench.path('--pre=x') })).toEqual(['--files:1: needle']);
    const { root } = bench;
    const other = createToolBench({ root, toolNames: 'snake_case' });
    for (const path of ['-n.txt', './-n.txt', '--pre=x/--files'])
      expect(await other.call('search', { query: 'needle', path })).toMatchObject({
        isError: false,
        text: expect.stringContaining(':1: needle'),
      });
    await other.close();
  });
});

describe('encodings and line ends', () => {
  test('UTF-16 with the high byte first is searched, anchors and all', async () => {
    bench.write('be.txt', Buffer.from('\ufeffneedle one\r\nx needle\r\n', 'utf16le').swap16());
    bench.write('le.txt', Buffer.from('\ufeffx\nneedle \u{1f600}\n', 'utf16le'));
    expect(await lines('^needle')).toEqual(['be.txt:1: needle one', 'le.txt:2: needle \u{1f600}']);
  });

  // The engine has to be told that a line may end in CRLF.
  test('the end of a line is before its carriage return', async () => {
    bench.write('crlf.txt', 'one needle\r\ntwo\r\n');
    expect(await lines('needle$')).toEqual(['crlf.txt:1: one needle']);
    expect(await lines('^two$')).toEqual(['crlf.txt:2: two']);
  });
});

describe('patterns', () => {
  test.each([
    ['a[0]', 'x = a[0];', 'occurs'],
    ['f(x)', 'call f(x) here', 'occurs'],
    ['a.b*c', 'see a.b*c', 'occurs'],
    ['^start', 'not ^start', 'occurs'],
    ['$HOME', 'echo $HOME', 'occurs'],
    ['what?!', 'what?!', 'occurs'],
    ['a.b', 'a.b', 'found'],
    ['q[0]', 'x = a[0];', 'absent'],
  ])('%s in %j is told to be there or not', async (pattern, line, expected) => {
    bench.write('a.txt', `${line}\n`);
    const { text, isError } = await grep(pattern);
    expect(isError).toBe(false);
    const what = text.startsWith('1 match') ? 'found' : text.includes('The text itself does occur') ? 'occurs' : 'absent';
    expect(what).toBe(expected);
  });

  test.each(['x*', '^', '$', '.*', '\\b', '(?:)', '(a|b|)*'])('%j, which fits every line, ends at the limit', async (pattern) => {
    bench.write('a.txt', 'b\n'.repeat(5000));
    expect(await lines(pattern)).toHaveLength(100);
  });
});
