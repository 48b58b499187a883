import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createCommandHooks } from '../src/hooks/command-hooks.ts';
import { readHooks } from '../src/hooks/read-hooks.ts';
import { SpillStore } from '../src/host/files/spill.ts';
import { commandEnvironment } from '../src/host/process/command-environment.ts';
import type { HookSettings } from '../src/hooks/hook-settings.ts';
import type { AgentEvent } from '../src/core/agent-event.ts';
import { createScriptedProvider, type ScriptedReply } from '../src/providers/scripted.ts';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestAgentOptions, type TestProject } from './agent-harness.ts';

let project: TestProject;
afterEach(() => project.remove());

function hooksOf(settings: HookSettings) {
  return createCommandHooks(readHooks(settings, 'settings.json').hooks, {
    cwd: project.root,
    env: commandEnvironment(process.env),
    spills: new SpillStore(project.path('.state/hooks')),
    facts: { session_id: 'test', cwd: project.root, permission_mode: 'default' },
    aliasOf: () => null,
  });
}

/** One command for one event. */
function on(event: string, command: string, matcher?: string): HookSettings {
  return { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command }] }] };
}

function agentWith(settings: HookSettings, script: readonly ScriptedReply[], options: TestAgentOptions = {}) {
  const { hook, lifecycle } = hooksOf(settings);
  const provider = createScriptedProvider(script);
  return { provider, agent: createTestAgent(project, provider, { hooks: [hook], lifecycle, ...options }) };
}

function bash(command: string): ScriptedReply {
  return { calls: [{ name: 'Bash', input: { command } }] };
}

/** A call that needs no process. */
function write(name: string): ScriptedReply {
  return { calls: [{ name: 'WriteFile', input: { path: project.path(name), content: 'written\n' } }] };
}

function textsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
}

function lastPrompt(provider: ReturnType<typeof createScriptedProvider>): string {
  return JSON.stringify(provider.requests.at(-1)?.messages.at(-1));
}

describe('before a call', () => {
  test.each([
    ['exit code 2', 'echo "not on Fridays" >&2; exit 2', 'not on Fridays'],
    ['a decision', `echo '{"decision":"block","reason":"not on Fridays"}'`, 'not on Fridays'],
    ['a crash', 'exit 3', 'ended with exit code 3'],
    ['an answer that cannot be read', `echo '{'`, 'begins like JSON'],
    ['words before its decision', `echo checking; echo '{"decision":"block"}'`, 'other text stands before its JSON'],
    ['a decision at the top', `echo '{"permissionDecision":"deny","reason":"not here"}'`, 'not here'],
    ['another input', `echo '{"hookSpecificOutput":{"updatedInput":{"command":"ls"}}}'`, 'not supported'],
  ])('%s denies, also where permissions are bypassed', async (_name, command, reason) => {
    project = createProject();
    const { agent } = agentWith(on('PreToolUse', command, 'Bash'), [bash('touch canary'), { text: 'I see.' }]);
    const events = await runToEnd(agent, 'go');
    expect(resultsOf(events)[0]).toEqual({ text: expect.stringMatching(/^A hook refused Bash: /), isError: true });
    expect(resultsOf(events)[0]?.text).toContain(reason);
    expect(events.find((event) => event.type === 'permission_decided')).toMatchObject({ by: 'hook', decision: 'deny' });
    expect(existsSync(project.path('canary'))).toBe(false);
  });

  test('what another spelling of a call says is what the hook sees', async () => {
    project = createProject({ 'a.txt': 'old\n' });
    const call = { name: 'patch_file', input: { file_path: project.path('a.txt'), old_str: 'old', new_str: 'new' } };
    const command = 'cat > told.json; exit 2';
    const { agent } = agentWith(on('PreToolUse', command, 'Edit'), [{ calls: [call] }, { text: 'ok' }]);
    await runToEnd(agent, 'go');
    expect(JSON.parse(readFileSync(project.path('told.json'), 'utf8'))).toEqual({
      session_id: 'test',
      cwd: project.root,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'EditFile',
      tool_input: { path: project.path('a.txt'), file_path: project.path('a.txt'), old_string: 'old', new_string: 'new' },
      tool_use_id: expect.any(String),
    });
    expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('old\n');
  });

  test('an allow loosens nothing', async () => {
    project = createProject();
    const { agent } = agentWith(
      on('PreToolUse', `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`),
      [bash('touch canary'), { text: 'ok' }],
      { mode: 'default' },
    );
    await runToEnd(agent, 'go');
    expect(existsSync(project.path('canary'))).toBe(false);
  });

  test('an ask asks where the policy would not, and denies where nobody is there', async () => {
    project = createProject();
    const ask = on('PreToolUse', `echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`);
    const script = [write('canary'), { text: 'ok' }];
    await runToEnd(agentWith(ask, script).agent, 'go');
    expect(existsSync(project.path('canary'))).toBe(false);
    const { agent } = agentWith(ask, script, { canAsk: true });
    const events = await runToEnd(agent, 'go', (event) => {
      if (event.type === 'permission_request') agent.answer(event.requestId, { type: 'allow', scope: 'once' });
    });
    const request = events.find((event) => event.type === 'permission_request');
    expect(request).toMatchObject({ offers: [], parts: expect.arrayContaining([expect.objectContaining({ decision: 'ask' })]) });
    expect(JSON.stringify(request)).toContain('sure?');
    expect(existsSync(project.path('canary'))).toBe(true);
  });

  test('a denial wins over another hook, whatever their order', async () => {
    project = createProject();
    const settings = {
      PreToolUse: [
        { hooks: ['true', `echo '{"decision":"approve"}'`, 'exit 2'].map((command) => ({ type: 'command', command })) },
      ],
    };
    await runToEnd(agentWith(settings, [bash('touch canary'), { text: 'ok' }]).agent, 'go');
    expect(existsSync(project.path('canary'))).toBe(false);
  });

  test('an input that a person edited is shown to the hook too', async () => {
    project = createProject();
    const { agent } = agentWith(on('PreToolUse', 'grep -q touch && exit 2; exit 0'), [bash('echo hi > a'), { text: 'ok' }], {
      mode: 'default',
      canAsk: true,
    });
    await runToEnd(agent, 'go', (event) => {
      if (event.type !== 'permission_request') return;
      agent.answer(event.requestId, { type: 'allow', scope: 'once', editedInput: { command: 'touch canary' } });
    });
    expect(existsSync(project.path('canary'))).toBe(false);
  });

  test('a tool that the matcher does not name is left alone', async () => {
    project = createProject();
    await runToEnd(agentWith(on('PreToolUse', 'exit 2', 'Grep'), [write('canary'), { text: 'ok' }]).agent, 'go');
    expect(existsSync(project.path('canary'))).toBe(true);
  });

  test('continue: false ends the run', async () => {
    project = createProject();
    const command = `echo '{"continue":false,"stopReason":"lunch"}'`;
    const { agent, provider } = agentWith(on('PreToolUse', command), [bash('touch canary'), { text: 'never' }]);
    const events = await runToEnd(agent, 'go');
    expect(existsSync(project.path('canary'))).toBe(false);
    expect(provider.requests).toHaveLength(1);
    expect(textsOf(events)).toContain('A hook ended the run: lunch');
  });
});

describe('after a call', () => {
  test('what a hook objects or adds reaches the model with the result', async () => {
    project = createProject();
    const command = `cat > told.json; echo '{"decision":"block","reason":"run the linter"}'`;
    const { agent } = agentWith(on('PostToolUse', command, 'Write'), [write('new.txt'), { text: 'ok' }]);
    const [result] = resultsOf(await runToEnd(agent, 'go'));
    expect(result?.text).toMatch(/^Wrote 8 bytes/);
    expect(result?.text).toContain('<hook_context>\nrun the linter\n</hook_context>');
    const told = JSON.parse(readFileSync(project.path('told.json'), 'utf8')) as { tool_response: object };
    expect(told.tool_response).toMatchObject({ is_error: false, content: [{ text: expect.stringMatching(/^Wrote 8 bytes/) }] });
  });

  test('one that fails is told to the person, and the run goes on', async () => {
    project = createProject();
    const { agent } = agentWith(on('PostToolUse', 'exit 1'), [write('new.txt'), { text: 'ok' }]);
    const events = await runToEnd(agent, 'go');
    expect(textsOf(events)).toEqual(['the hook exit 1 ended with exit code 1']);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });
});

describe('around a prompt', () => {
  test('a prompt can be refused before any model sees it', async () => {
    project = createProject();
    const { agent, provider } = agentWith(
      on('UserPromptSubmit', 'grep -q password && { echo "no secrets" >&2; exit 2; }; exit 0'),
      [{ text: 'hi' }],
    );
    const events = await runToEnd(agent, 'my password is x');
    expect(provider.requests).toHaveLength(0);
    expect(events.find((event) => event.type === 'error')).toMatchObject({
      error: { code: 'hook_refused', message: 'A hook refused the prompt: no secrets' },
    });
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
    await runToEnd(agent, 'hello');
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify(provider.requests[0]?.messages)).not.toContain('password');
  });

  test('context comes with the prompt, that of the start only with the first', async () => {
    project = createProject();
    const settings = { ...on('UserPromptSubmit', 'echo it is Monday'), ...on('SessionStart', 'echo be brief', 'startup') };
    const { agent, provider } = agentWith(settings, [{ text: 'one' }, { text: 'two' }]);
    await runToEnd(agent, 'first');
    expect(lastPrompt(provider)).toMatch(/first.*be brief.*it is Monday/);
    await runToEnd(agent, 'second');
    expect(lastPrompt(provider)).toMatch(/second.*it is Monday/);
    expect(lastPrompt(provider)).not.toContain('be brief');
  });
});

describe('at the end', () => {
  test('a hook can have the agent go on', async () => {
    project = createProject();
    const command = 'test -e done || { touch done; echo "tests are missing" >&2; exit 2; }';
    const { agent, provider } = agentWith(on('Stop', command), [{ text: 'finished' }, { text: 'really' }]);
    const events = await runToEnd(agent, 'go');
    expect(lastPrompt(provider)).toContain('tests are missing');
    expect(provider.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ outcome: 'done', turns: 2 });
  });

  test('but not for ever, and it is told that it does so already', async () => {
    project = createProject();
    const { agent, provider } = agentWith(on('Stop', 'cat >> told; echo more >&2; exit 2'), []);
    const events = await runToEnd(agent, 'go');
    expect(provider.requests).toHaveLength(4);
    expect(textsOf(events).join()).toContain('is not heard any more: more');
    const told = readFileSync(project.path('told'), 'utf8').trim().split('\n');
    expect(told.map((line) => (JSON.parse(line) as { stop_hook_active: boolean }).stop_hook_active)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

test('a hook at the end that wants no more is content, and the next prompt is a new one', async () => {
  project = createProject();
  const command = `echo '{"continue":false,"stopReason":"enough","decision":"block","reason":"go on"}'`;
  const { agent, provider } = agentWith(on('Stop', command), []);
  await runToEnd(agent, 'first');
  expect(provider.requests).toHaveLength(1);
  expect((await runToEnd(agent, 'second')).at(-1)).toMatchObject({ outcome: 'done' });
  expect(provider.requests).toHaveLength(2);
});

test('an edit that a hook denies leaves the file, and one that it lets through does not', async () => {
  project = createProject({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
  const settings = on('PreToolUse', 'grep -q a.txt && exit 2; exit 0', 'Write|Edit');
  const edit = (name: string) => ({
    name: 'EditFile',
    input: { path: project.path(name), old_string: 'old', new_string: 'new' },
  });
  await runToEnd(agentWith(settings, [{ calls: [edit('a.txt'), edit('b.txt')] }, { text: 'ok' }]).agent, 'go');
  expect(readFileSync(project.path('a.txt'), 'utf8')).toBe('old\n');
  expect(readFileSync(project.path('b.txt'), 'utf8')).toBe('new\n');
});
