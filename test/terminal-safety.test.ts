import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { describeInput } from '../src/core/describe-input.ts';
import { displayText } from '../src/core/display-text.ts';
import { anthropicAt, createScratch, type Scratch } from './e2e/run-wield.ts';
import { type AnthropicServer, startAnthropicServer } from './loopback/anthropic-server.ts';
import { expectSafeText } from './terminal-fuzz.ts';
import { canMakeTerminal, startInTerminal } from './terminal-session.ts';

/** Longer than a terminal takes no answer to a question that has just appeared. */
const SOON_MS = 300;

describe('text for the terminal', () => {
  test.each([
    ['CSI', 'a\u001b[31mb', 'a\\x1b[31mb'],
    ['OSC, ended by BEL', '\u001b]0;t\u0007', '\\x1b]0;t\\x07'],
    ['OSC, not ended', '\u001b]52;c;QUJD', '\\x1b]52;c;QUJD'],
    ['DCS, APC, PM, SOS', '\u001bPq\u001b_x\u001b^y\u001bXz', '\\x1bPq\\x1b_x\\x1b^y\\x1bXz'],
    ['C1 forms', '\u009b2J\u009d0;t\u009c\u0090q', '\\x9b2J\\x9d0;t\\x9c\\x90q'],
    ['a return', 'good\revil', 'good\\x0devil'],
    ['a return before a line feed', 'a\r\nb', 'a\\x0d\nb'],
    ['backspaces', 'ab\b\bcd', 'ab\\x08\\x08cd'],
    ['direction', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
    ['zero width', 'a\u200bb\u2060c\ufeffd\u00ade', 'a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e'],
    ['tags', 'a\u{e0061}b', 'a<U+E0061>b'],
    ['line separators', 'a\u2028b\u2029c', 'a<U+2028>b<U+2029>c'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['joined emoji stay', '👩‍💻', '👩‍💻'],
    ['scripts stay', 'héllo 你好 עברית नमस्ते', 'héllo 你好 עברית नमस्ते'],
    ['tab and line feed stay', 'a\tb\nc', 'a\tb\nc'],
  ])('%s', (_name, text, expected) => {
    expect(displayText(text)).toBe(expected);
  });

  test('nothing that steers a terminal is left of any text', () => expectSafeText(5000));
});

describe('a question shows what is approved', () => {
  test.each([
    ['A51: hidden characters', { command: 'ls \u200b\u202efoo' }, 'command: ls <U+200B><U+202E>foo', '2 hidden characters'],
    ['A52: a long run of blanks', { command: `ls${' '.repeat(300)}; touch x` }, 'command: ls[300 blanks]; touch x', 'blanks'],
    ['A53: a long command', { command: `echo ${'x'.repeat(5000)}; touch x` }, '; touch x', '5014 characters'],
    ['control characters', { command: 'ls\u001b[2K\rrm x' }, 'command: ls\\x1b[2K\\x0drm x', '2 hidden characters'],
  ])('%s', (_name, input, shown, warning) => {
    const lines = describeInput(input).join('\n');
    expect(lines).toContain(shown);
    expect(lines).toMatch(/^warning: /m);
    expect(lines).toContain(warning);
  });

  test('an ordinary command comes without a warning', () => {
    expect(describeInput({ command: 'npm test\t&& echo "é 你好 👩‍💻"' })).toEqual(['command: npm test\t&& echo "é 你好 👩‍💻"']);
  });
});

describe.skipIf(!canMakeTerminal())('in a real terminal', () => {
  let scratch: Scratch;
  let server: AnthropicServer;
  afterEach(async () => {
    scratch.remove();
    await server.close();
  });

  test('R19: keys that were typed before a question appeared do not answer it', async () => {
    scratch = createScratch();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    server = await startAnthropicServer([
      { text: 'Thinking.', calls: [{ name: 'Bash', input: { command: 'touch canary' } }], holdUntil: held },
      { text: 'Fine.' },
    ]);
    const session = startInTerminal(scratch, ['--no-tui', 'go'], anthropicAt(server.url));
    await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('Thinking.');
    session.type('y\ry\ry');
    await expect.poll(() => session.shown.split('y').length, { timeout: 10_000 }).toBeGreaterThan(3);
    release();
    await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('May Bash run?');
    await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('= no');
    await sleep(SOON_MS);
    session.type('\r');
    await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('Fine.');
    expect(existsSync(scratch.path('canary'))).toBe(false);
    session.type('exit\r');
    await session.ended();
  });

  test('R19: an answer that comes with the question, as in a paste, is none', async () => {
    scratch = createScratch({ 'AGENTS.md': 'Answer in rhyme.' });
    server = await startAnthropicServer([{ text: 'Fine.' }]);
    const session = startInTerminal(scratch, ['go'], anthropicAt(server.url));
    // Typed before and while it appears.
    const typing = setInterval(() => session.type('y\r'), 20);
    await expect.poll(() => session.shown, { timeout: 10_000, interval: 5 }).toContain('y/N: ');
    clearInterval(typing);
    await sleep(SOON_MS);
    session.type('\r');
    await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('Fine.');
    expect(JSON.stringify(server.requests)).not.toContain('rhyme');
    session.type('exit\r');
    await session.ended();
  });

  test('a folder with something to load is asked about once; Enter is no, y is remembered', async () => {
    scratch = createScratch({ 'AGENTS.md': 'Answer in rhyme.' });
    server = await startAnthropicServer([{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }]);
    const chat = async (answer: string | null, reply: string): Promise<void> => {
      const session = startInTerminal(scratch, ['go'], anthropicAt(server.url));
      if (answer !== null) {
        await expect.poll(() => session.shown, { timeout: 10_000 }).toContain('y/N: ');
        await sleep(SOON_MS);
        session.type(answer);
      }
      await expect.poll(() => session.shown, { timeout: 10_000 }).toContain(reply);
      if (answer === null) expect(session.shown).not.toContain('y/N');
      session.type('exit\r');
      await session.ended();
    };
    await chat('\r', 'First.');
    await chat('y\r', 'Second.');
    await chat(null, 'Third.');
    expect(server.requests.map((request) => JSON.stringify(request).includes('rhyme'))).toEqual([false, true, true]);
  });
});
