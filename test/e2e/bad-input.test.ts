import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The lines of the one session of a scratch home. */
function sessionRecords(): readonly Record<string, unknown>[] {
  const folder = join(scratch.home, '.local/state/wield/sessions');
  const [project = ''] = readdirSync(folder);
  const [name = ''] = readdirSync(join(folder, project));
  return readFileSync(join(folder, project, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('what a model does wrong', () => {
  test('an unknown tool, input that is no JSON, and wrong types are told to the model, and the run goes on', async () => {
    scratch = createScratch({ 'a.txt': 'alpha\n' });
    server = await startAnthropicServer([
      {
        calls: [
          { name: 'Teleport', input: {} },
          { name: 'ReadFile', json: '{"path": ' },
          { name: 'ReadFile', input: { path: 7 } },
          { name: 'ReadFile', input: { path: '/etc/../etc/none', depth: 3 } },
          { name: 'ReadFile', input: { path: scratch.path('a.txt') } },
        ],
      },
      { text: 'I see.' },
    ]);
    const run = await runWield(scratch, ['-p', 'go'], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'I see.\n' });
    expect(server.faults).toEqual([]);
    const answers = server.requests[1]?.messages[2]?.content.map((block) => [block.is_error === true, textOf(block.content)]);
    expect(answers).toEqual([
      [true, expect.stringMatching(/^There is no tool "Teleport"\. Available: ReadFile, WriteFile, EditFile, /)],
      [
        true,
        'ReadFile was not run: its input was not a complete JSON object. Send the call again with valid JSON. It began: {"path": ',
      ],
      [true, 'ReadFile was not run: "path" must be a string; it is a number.'],
      [true, 'ReadFile was not run: Unknown key "depth". Known keys: "path", "offset", "limit".'],
      [false, '1\talpha'],
    ]);
  });
});

describe('what a provider does wrong', () => {
  test('a rejected key is one clear line and exit code 3', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ status: 401, error: { type: 'authentication_error', message: 'invalid x-api-key' } }]);
    const run = await runWield(scratch, ['-p', 'hello'], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 3, stdout: '' });
    expect(run.stderr).toContain('error model_key_rejected: invalid x-api-key (HTTP 401)');
    expect(run.stderr).not.toContain('    at ');
  });

  test('an overloaded server is asked again', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      { status: 529, error: { type: 'overloaded_error', message: 'Overloaded' }, headers: { 'retry-after-ms': '10' } },
      { text: 'Here I am.' },
    ]);
    const run = await runWield(scratch, ['-p', 'hello'], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'Here I am.\n' });
    expect(run.stderr).toContain('trying again');
    expect(server.requests).toHaveLength(2);
  });

  test('a connection that drops in the middle is asked again as a whole, and nothing of the broken message runs', async () => {
    scratch = createScratch();
    const call = { name: 'Bash', input: { command: 'touch ran' } };
    server = await startAnthropicServer([{ text: 'I will', calls: [call], dropAfter: 9 }, { text: 'Whole now.' }]);
    const run = await runWield(scratch, ['-p', 'hello', '--permission-mode', 'bypassPermissions'], {
      env: anthropicAt(server.url),
    });
    expect(run).toMatchObject({ code: 0, stdout: 'Whole now.\n' });
    expect(readdirSync(scratch.root)).toEqual([]);
    expect(server.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);
  });

  test('one that always drops ends with exit code 7, and the session goes on with --continue', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      { text: 'a', dropAfter: 3 },
      { text: 'b', dropAfter: 3 },
      { text: 'c', dropAfter: 3 },
      { text: 'Back again.' },
    ]);
    const broken = await runWield(scratch, ['-p', 'first'], { env: anthropicAt(server.url) });
    expect(broken.code).toBe(7);
    expect(broken.stderr).toContain('error model_stream_broken');
    const next = await runWield(scratch, ['-p', 'second', '--continue'], { env: anthropicAt(server.url) });
    expect(next).toMatchObject({ code: 0, stdout: 'Back again.\n' });
    expect(JSON.stringify(server.requests.at(-1)?.messages)).toContain('first');
    expect(server.faults).toEqual([]);
  });

  test('a server that is not there is exit code 7', async () => {
    scratch = createScratch();
    const run = await runWield(scratch, ['-p', 'hello'], { env: anthropicAt('http://127.0.0.1:9') });
    expect(run.code).toBe(7);
    expect(run.stderr).toContain('Could not reach 127.0.0.1:9: nothing listens there.');
  });

  test('a message cut at max_tokens inside a call runs nothing and tells the model', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([
      {
        calls: [
          { name: 'Bash', input: { command: 'touch one' } },
          { name: 'Bash', json: '{"command": "touch tw' },
        ],
        stopReason: 'max_tokens',
      },
      { text: 'Smaller then.' },
    ]);
    const run = await runWield(scratch, ['-p', 'go', '--permission-mode', 'bypassPermissions'], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'Smaller then.\n' });
    expect(readdirSync(scratch.root)).toEqual([]);
    expect(server.faults).toEqual([]);
    expect(textOf(server.requests[1]?.messages[2]?.content[0]?.content)).toContain('cut at the output limit');
  });
});

describe('what a person does wrong', () => {
  test.each([
    [['--nonsense'], 2, 'unknown option'],
    [['-p', 'x', '--model', 'nobody/nothing'], 3, 'error no_model: There is no model "nobody/nothing" here.'],
    [['-p', 'x', '--model', 'anthropic/some-model'], 3, 'ANTHROPIC_API_KEY is not set'],
    [['-p', 'x', '--cwd', '/nowhere/at/all'], 2, 'error folder_missing'],
    [['-p', 'x', '--continue'], 2, 'error session_missing'],
    [['-p', 'x', '--resume', '../../etc/passwd'], 2, 'error session_missing'],
    [['-p', 'x', '--permission-mode', 'yolo'], 2, 'Allowed choices are'],
    [['-p', ''], 2, 'There is no prompt.'],
    [['tool', 'run', 'Nothing', '--input', '{}'], 2, 'There is no tool "Nothing"'],
    [['tool', 'run', 'Glob', '--input', 'pattern'], 2, '--input is not a JSON object'],
  ])('%j exits with %i and says why', async (args, code, words) => {
    scratch = createScratch();
    const run = await runWield(scratch, args);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toMatch(/\n {4}at /);
  });

  test('an unreadable settings file is named with the line, and nothing starts', async () => {
    scratch = createScratch({ '../home/.config/wield/settings.json': '{\n  "model": "demo",\n  oops\n}\n' });
    const run = await runWield(scratch, ['-p', 'hello']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('settings.json cannot be used');
    expect(run.stderr).toContain('line 3');
  });

  test('a setting of the wrong type is named', async () => {
    scratch = createScratch({ '../home/.config/wield/settings.json': '{"maxTurns": "many"}' });
    const run = await runWield(scratch, ['-p', 'hello']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('"maxTurns" must be an integer; it is a string.');
  });

  test('the session holds every message of a run that failed', async () => {
    scratch = createScratch();
    server = await startAnthropicServer([{ status: 401, error: { type: 'authentication_error', message: 'no' } }]);
    await runWield(scratch, ['-p', 'remember me'], { env: anthropicAt(server.url) });
    const records = sessionRecords();
    expect(records[0]).toMatchObject({ type: 'session', version: 1 });
    expect(records.find((record) => record['type'] === 'message_added')).toMatchObject({
      message: { role: 'user', content: [{ type: 'text', text: 'remember me' }] },
    });
    expect(records.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
  });
});

function textOf(content: unknown): string {
  return (content as { text: string }[] | undefined)?.map(({ text }) => text).join('\n') ?? '';
}
