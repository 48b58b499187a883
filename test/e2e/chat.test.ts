import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { runsCommand } from '../processes.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
afterEach(async () => {
  scratch.remove();
  await server.close();
});

function edit(place: Scratch) {
  return { calls: [{ name: 'EditFile', input: { path: place.path('a.txt'), old_string: 'old', new_string: 'new' } }] };
}

describe('the line chat', () => {
  test('streams text, shows a line a call, and asks before a change; y lets it happen', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    server = await startAnthropicServer([edit(scratch), { text: 'Changed it.' }]);
    const run = await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'change it\ny\nexit\n' });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('May EditFile run?');
    expect(run.stdout).toContain(`because it changes ${scratch.path('a.txt')}`);
    expect(run.stdout).toMatch(/\* EditFile \S*a\.txt — Edited .* \(\d+ ms\)/);
    expect(run.stdout).toContain('Changed it.');
    expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('new\n');
  });

  test('an untouched Enter denies', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    server = await startAnthropicServer([edit(scratch), { text: 'Then not.' }]);
    await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'change it\n\nexit\n' });
    expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('old\n');
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('did not allow EditFile');
  });

  test('a reason reaches the model', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    server = await startAnthropicServer([edit(scratch), { text: 'I see.' }]);
    await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'change it\nuse tabs please\nexit\n' });
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('Their reason: use tabs please');
  });

  test('a holds for the session', async () => {
    scratch = createScratch();
    const run = { calls: [{ name: 'Bash', input: { command: 'echo ran >> log.txt' } }] };
    server = await startAnthropicServer([run, run, { text: 'Twice.' }]);
    const chat = await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'do it twice\na\nexit\n' });
    expect(chat.stdout.split('May Bash run?')).toHaveLength(2);
    expect(readFileSync(scratch.path('log.txt'), 'utf8')).toBe('ran\nran\n');
  });

  test('a conversation goes on over several prompts', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'Hello Ada.' }, { text: 'Ada, you said.' }]);
    await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'I am Ada\nwho am I?\n' });
    expect(server.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
    expect(server.faults).toEqual([]);
  });

  test('what a model sends cannot steer the terminal', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'safe\u001b[2J\u001b]0;title\u0007 \u202Eevil' }]);
    const run = await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'hi\nexit\n' });
    expect(run.stdout).toContain('safe\\x1b[2J\\x1b]0;title\\x07 <U+202E>evil');
  });

  test.each([
    ['SIGHUP', 129],
    ['SIGTERM', 143],
  ] as const)('%s ends the program and what it had started', async (signal, code) => {
    scratch = createScratch();
    server = await startAnthropicServer([
      { calls: [{ name: 'Bash', input: { command: 'trap "" TERM HUP; echo yes > started; sleep 6071; sleep 6072' } }] },
    ]);
    const run = await runWield(scratch, ['wait', '--permission-mode', 'bypassPermissions'], {
      env: anthropicAt(server.url),
      stdin: null,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!exists(scratch.path('started'))) return;
          clearInterval(timer);
          child.kill(signal);
        }, 20);
      },
    });
    expect(run.code).toBe(code);
    await expect.poll(() => runsCommand('sleep', '6071')).toBe(false);
  });

  test('a question shows all of what is approved, and a name cannot steer the terminal', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      {
        calls: [
          { name: 'Bash', input: { command: `echo harmless${' '.repeat(2100)}; touch hidden` } },
          { name: 'Evil\u001b]0;x\u0007\nfake', input: {} },
        ],
      },
      { text: 'ok' },
    ]);
    const run = await runWield(scratch, [], { env: anthropicAt(server.url), stdin: 'go\nn\nexit\n' });
    expect(run.stdout).toContain('command: echo harmless[2100 blanks]; touch hidden');
    expect(run.stdout).toContain('Evil\\x1b]0;x\\x07 ⏎ fake');
    expect(run.stdout).not.toContain('\u001b');
  });

  test('Ctrl-C interrupts the run and a second one leaves', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      { calls: [{ name: 'Bash', input: { command: 'echo yes > started; exec sleep 6073' } }] },
      { text: 'never asked' },
    ]);
    let signalled = 0;
    const run = await runWield(scratch, ['wait for me', '--permission-mode', 'bypassPermissions'], {
      env: anthropicAt(server.url),
      // Held open by a prompt that never comes.
      stdin: null,
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!exists(scratch.path('started'))) return;
          clearInterval(timer);
          signalled++;
          child.kill('SIGINT');
          setTimeout(() => child.kill('SIGINT'), 1500);
        }, 20);
      },
    });
    expect(signalled).toBe(1);
    expect(run.stdout).toContain('Interrupted; Ctrl-C again leaves.');
    await expect.poll(() => runsCommand('sleep', '6073')).toBe(false);
  });
});

function exists(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').trim() !== '';
  } catch {
    return false;
  }
}
