import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer | null = null;
afterEach(async () => {
  scratch.remove();
  await server?.close();
  server = null;
});

describe('output formats', () => {
  test('json is one object', async () => {
    scratch = createScratch({ 'a.txt': 'alpha\n' });
    server = await startAnthropicServer([
      { calls: [{ name: 'ReadFile', input: { path: scratch.path('a.txt') } }] },
      { text: 'It says alpha.' },
    ]);
    const run = await runWield(scratch, ['-p', 'what is in a.txt', '--output-format', 'json'], { env: anthropicAt(server.url) });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'It says alpha.',
      duration_ms: expect.any(Number),
      num_turns: 2,
      session_id: expect.stringMatching(/^\d{4}-/),
      total_cost_usd: null,
      usage: {
        input_tokens: 20,
        output_tokens: 40,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        reasoning_tokens: null,
      },
      permission_denials: [],
    });
  });

  test('stream-json is a line an event, and ends with the result', async () => {
    scratch = createScratch({ 'a.txt': 'alpha\n' });
    server = await startAnthropicServer([
      { text: 'Looking.', calls: [{ name: 'ReadFile', input: { path: scratch.path('a.txt') } }] },
      { text: 'Alpha.' },
    ]);
    const args = ['-p', 'x', '--output-format', 'stream-json'];
    const run = await runWield(scratch, args, { env: anthropicAt(server.url) });
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    // A read may be permitted before its message has ended; its answer never comes before the message.
    expect(lines.map((line) => line['type']).filter((type) => type !== 'permission')).toEqual([
      'system',
      'assistant',
      'tool_use',
      'tool_result',
      'assistant',
      'result',
    ]);
    expect(lines[0]).toMatchObject({
      subtype: 'init',
      version: 1,
      cwd: scratch.root,
      tools: expect.arrayContaining(['ReadFile', 'WriteFile', 'EditFile', 'Bash', 'Glob', 'Grep']),
    });
    expect(lines.find((line) => line['type'] === 'tool_result')).toMatchObject({
      is_error: false,
      content: '1\talpha',
      duration_ms: expect.any(Number),
    });
    expect(run.stdout).not.toContain('text_delta');
  });

  test('deltas come with --include-partial-messages', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'Hello there.' }]);
    const run = await runWield(scratch, ['-p', 'x', '--output-format', 'stream-json', '--include-partial-messages'], {
      env: anthropicAt(server.url),
    });
    const deltas = run.stdout.split('\n').filter((line) => line.includes('"text_delta"'));
    expect(deltas.map((line) => (JSON.parse(line) as { event: { text: string } }).event.text).join('')).toBe('Hello there.');
  });

  test('piped text is context, and - makes it the prompt', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'one' }, { text: 'two' }]);
    await runWield(scratch, ['-p', 'review this'], { env: anthropicAt(server.url), stdin: 'the diff\n' });
    await runWield(scratch, ['-p', '-'], { env: anthropicAt(server.url), stdin: 'all of it\n' });
    expect(server.requests.map(({ messages }) => messages[0]?.content[0]?.text)).toEqual([
      'review this\n\nthe diff',
      'all of it',
    ]);
  });
});

describe('permissions without a person', () => {
  test('what would ask is denied, the model is told, and the exit code says so', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    server = await startAnthropicServer([
      { calls: [{ name: 'EditFile', input: { path: scratch.path('a.txt'), old_string: 'old', new_string: 'new' } }] },
      { text: 'I could not.' },
    ]);
    const run = await runWield(scratch, ['-p', 'change it'], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 4, stdout: 'I could not.\n' });
    expect(run.stderr).toContain('denied: EditFile, because it changes');
    expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('old\n');
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('in headless mode nobody can be asked');
  });

  test('acceptEdits edits and still runs no program', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    server = await startAnthropicServer([
      {
        calls: [
          { name: 'EditFile', input: { path: scratch.path('a.txt'), old_string: 'old', new_string: 'new' } },
          { name: 'Bash', input: { command: 'node -p 1 > b.txt' } },
        ],
      },
      { text: 'Half of it.' },
    ]);
    const run = await runWield(scratch, ['-p', 'x', '--permission-mode', 'acceptEdits'], { env: anthropicAt(server.url) });
    expect(run.code).toBe(4);
    expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('new\n');
    expect(() => readFileSync(scratch.path('b.txt'))).toThrow('ENOENT');
  });

  test('plan mode offers only what reads, runs commands that only read, and a disabled tool says by what', async () => {
    scratch = createScratch({ 'a.txt': 'old\n' });
    const commands = ['cat a.txt', 'touch made'].map((command) => ({ name: 'Bash', input: { command } }));
    const write = { name: 'WriteFile', input: { path: scratch.path('made'), content: '' } };
    server = await startAnthropicServer([{ calls: [...commands, write] }, { text: 'Planned.' }]);
    const run = await runWield(scratch, ['-p', 'x', '--permission-mode', 'plan'], { env: anthropicAt(server.url) });
    expect(run.code).toBe(4);
    const offered = server.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(offered).toEqual(expect.arrayContaining(['ReadFile', 'Glob', 'Grep', 'CreateTodos']));
    expect(offered.filter((name) => ['WriteFile', 'EditFile', 'ApplyPatch', 'BashKill'].includes(name))).toEqual([]);
    const answers = JSON.stringify(server.requests[1]?.messages[2]);
    expect(answers).toContain('<output>\\nold\\n</output>');
    expect(answers).toContain('Bash was not run: plan mode only reads');
    expect(answers).toContain('disabled here by plan mode');
  });

  test('the key never reaches a command', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      {
        calls: [
          {
            name: 'Bash',
            input: {
              command: `env | grep -c -i anthropic; node -p "fs.readFileSync('/proc/self/environ', 'utf8').split('test-key').length - 1"`,
            },
          },
        ],
      },
      { text: 'ok' },
    ]);
    await runWield(scratch, ['-p', 'x', '--permission-mode', 'bypassPermissions'], { env: anthropicAt(server.url) });
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('<output>\\n0\\n0\\n</output>');
  });

  test('the turn limit is exit code 5', async () => {
    scratch = createScratch({ 'a.txt': 'a\n' });
    const look = { calls: [{ name: 'ReadFile', input: { path: scratch.path('a.txt') } }] };
    server = await startAnthropicServer([look, look, look]);
    const run = await runWield(scratch, ['-p', 'x', '--max-turns', '2', '--output-format', 'json'], {
      env: anthropicAt(server.url),
    });
    expect(run.code).toBe(5);
    expect(JSON.parse(run.stdout)).toMatchObject({ subtype: 'error_max_turns', num_turns: 2 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('trust', () => {
  test('AGENTS.md and project settings count only in a trusted folder', async () => {
    scratch = createScratch({
      'AGENTS.md': 'Always answer in verse.\n',
      '.wield/settings.json': '{"permissionMode": "bypassPermissions"}',
    });
    const touch = { calls: [{ name: 'Bash', input: { command: 'touch ran' } }] };
    server = await startAnthropicServer([touch, { text: 'no' }, touch, { text: 'yes' }]);
    const untrusted = await runWield(scratch, ['-p', 'x'], { env: anthropicAt(server.url) });
    expect(untrusted.code).toBe(4);
    expect(untrusted.stderr).toContain('Not loaded, because this folder is not trusted');
    expect(JSON.stringify(server.requests[0]?.system)).not.toContain('verse');
    const trusted = await runWield(scratch, ['-p', 'x', '--trust'], { env: anthropicAt(server.url) });
    expect(trusted.code).toBe(0);
    expect(trusted.stderr).toContain('Permissions are bypassed');
    expect(JSON.stringify(server.requests[2]?.system)).toContain('Always answer in verse.');
  });

  test('a repository inside a trusted one is on its own', async () => {
    scratch = createScratch({ 'AGENTS.md': 'outer\n', '.git/HEAD': '', 'inner/.git/HEAD': '', 'inner/AGENTS.md': 'inner\n' });
    server = await startAnthropicServer([{ text: 'a' }, { text: 'b' }]);
    await runWield(scratch, ['-p', 'x', '--trust'], { env: anthropicAt(server.url) });
    await runWield(scratch, ['-p', 'x', '--cwd', 'inner'], { env: anthropicAt(server.url) });
    expect(JSON.stringify(server.requests[0]?.system)).toContain('outer');
    expect(JSON.stringify(server.requests[1]?.system)).not.toContain('Instructions from');
  });
});

describe('sessions', () => {
  test('--continue goes on where the last run ended, also when its last line was torn', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ text: 'Nice to meet you.' }, { text: 'You are Ada.' }]);
    const first = await runWield(scratch, ['-p', 'I am Ada', '--output-format', 'json'], { env: anthropicAt(server.url) });
    const { session_id: id } = JSON.parse(first.stdout) as { session_id: string };
    const path = sessionPath(scratch, id);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"message_added","message":{"role":"us`);
    const next = await runWield(scratch, ['-p', 'who am I', '--continue'], { env: anthropicAt(server.url) });
    expect(next).toMatchObject({ code: 0, stdout: 'You are Ada.\n' });
    expect(next.stderr).toContain('1 damaged line');
    expect(server.requests[1]?.messages.map((message) => message.content[0]?.text)).toEqual([
      'I am Ada',
      'Nice to meet you.',
      'who am I',
    ]);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => !isJson(line))).toHaveLength(1);
  });
});

function sessionPath(place: Scratch, id: string): string {
  return place.path(`../home/.local/state/wield/sessions/${folderIn(place)}/${id}.jsonl`);
}

function folderIn(place: Scratch): string {
  const { readdirSync } = process.getBuiltinModule('node:fs');
  return readdirSync(place.path('../home/.local/state/wield/sessions'))[0] ?? '';
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
