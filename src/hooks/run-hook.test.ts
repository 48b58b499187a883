import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { isRunning } from '../../test/processes.ts';
import { SpillStore } from '../host/files/spill.ts';
import { commandEnvironment } from '../host/process/command-environment.ts';
import { type HookAnswer, runHook } from './run-hook.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject();
});
afterEach(() => project.remove());

function run(command: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<HookAnswer> {
  const hook = { event: 'PreToolUse', matcher: null, command, timeoutMs: options.timeoutMs ?? 10_000 } as const;
  const env = commandEnvironment({ ...process.env, OPENAI_API_KEY: 'sk-secret-key' });
  const place = { cwd: project.root, env, spills: new SpillStore(project.path('.state')) };
  return runHook(hook, { tool_name: 'Bash', odd: 'a "b"\n\u2028' }, place, options.signal ?? new AbortController().signal);
}

test('it reads what happened on stdin, runs in the folder and gets no key', async () => {
  await run('cat > told.json; pwd > place; env > environment');
  expect(JSON.parse(readFileSync(project.path('told.json'), 'utf8'))).toEqual({ tool_name: 'Bash', odd: 'a "b"\n\u2028' });
  expect(readFileSync(project.path('place'), 'utf8')).toBe(`${project.root}\n`);
  expect(readFileSync(project.path('environment'), 'utf8')).not.toContain('sk-secret-key');
});

test('one that does not read its stdin is fine, and nothing is left of the files that fed it', async () => {
  expect(await run('true')).toMatchObject({ type: 'said', output: { decision: null, context: null } });
  expect(readdirSync(project.path('.state'))).toEqual([]);
});

describe('what it says', () => {
  test.each([
    ['echo plain words', { context: 'plain words', decision: null }],
    [`echo '{"decision":"block","reason":"no"}'`, { decision: 'deny', reason: 'no' }],
    [`echo '{"decision":"approve"}'`, { decision: 'allow' }],
    [
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`,
      { decision: 'ask', reason: 'sure?' },
    ],
    [`echo '{"continue":false,"stopReason":"enough"}'`, { stop: 'enough' }],
    [`echo '{"hookSpecificOutput":{"additionalContext":"more"},"systemMessage":"hello"}'`, { context: 'more', message: 'hello' }],
    [`echo '{"hookSpecificOutput":{"updatedInput":{"command":"ls"}}}'`, { changesInput: true }],
    ['echo noise >&2; exit 0', { context: null }],
  ])('%s', async (command, output) => {
    expect(await run(command)).toMatchObject({ type: 'said', output });
  });

  test('exit code 2 blocks with what it wrote to stderr', async () => {
    expect(await run('echo no >&2; echo yes; exit 2')).toEqual({ type: 'blocked', reason: 'no' });
    expect(await run('exit 2')).toEqual({ type: 'blocked', reason: 'no reason given' });
  });
});

describe('what counts as no answer', () => {
  test.each([
    ['exit 1', 'ended with exit code 1'],
    ['echo why >&2; exit 7', 'ended with exit code 7: why'],
    ['kill -9 $$', 'was ended by SIGKILL'],
    ['/does/not/exist', 'ended with exit code 127'],
    [`echo '{"decision":'`, 'begins like JSON and is none'],
    [`echo '{"decision":"perhaps"}'`, '"perhaps" is no decision'],
    [`echo '{"decision":1}'`, '1 is no decision'],
    [`echo '{"hookSpecificOutput":[]}'`, 'hookSpecificOutput is no object'],
    [`echo '{"continue":"no"}'`, '"continue" is neither'],
    ['head -c 400000 /dev/zero', 'it wrote too much'],
  ])('%s', async (command, fault) => {
    expect(await run(command)).toMatchObject({ type: 'failed', fault: expect.stringContaining(fault) });
  });

  test('one that takes too long is ended with all that it started', async () => {
    const answer = await run('sleep 60 & echo $! > pid; wait', { timeoutMs: 300 });
    expect(answer).toMatchObject({ type: 'failed', fault: expect.stringContaining('did not end within 0.3 s') });
    await expect.poll(() => isRunning(Number(readFileSync(project.path('pid'), 'utf8')))).toBe(false);
  });

  test('an interrupt ends it', async () => {
    const answer = await run('sleep 60', { signal: AbortSignal.timeout(100) });
    expect(answer).toMatchObject({ type: 'failed', fault: expect.stringContaining('was interrupted') });
  });
});
