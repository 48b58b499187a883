import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import type { PermissionMode, PermissionRule } from '../core/permission.ts';
import { defineTool } from '../core/define-tool.ts';
import type { Tool } from '../core/tool.ts';
import { succeed } from '../core/tool-result.ts';
import { createAllTools } from '../tools/builtin.ts';
import { createPolicy, type PolicyOptions } from './policy.ts';
import { parseRule, splitRules } from './rules/rules.ts';

let outer: TestProject;
let root: string;
beforeEach(() => {
  outer = createProject({
    'ws/a.txt': 'a',
    'ws/.env': 'KEY=1',
    'ws-evil/p.txt': 'x',
    'out/secret.txt': 's',
    'home/.ssh/id_rsa': 'KEY',
  });
  root = outer.path('ws');
  symlinkSync(outer.path('out'), outer.path('ws/link'));
  symlinkSync(outer.path('out/newfile'), outer.path('ws/dangling'));
  mkdirSync(outer.path('ws/.git'));
  writeFileSync(outer.path('ws/.git/config'), '');
});
afterEach(() => outer.remove());

const tools = createAllTools();
function toolNamed(name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(name);
  return tool;
}

function policyFor(mode: PermissionMode, rules: readonly PermissionRule[] = [], more: Partial<PolicyOptions> = {}) {
  return createPolicy({
    mode,
    cwd: root,
    home: outer.path('home'),
    roots: [root],
    readableRoots: [outer.path('spill')],
    rules,
    environment: process.env,
    sandbox: { isAvailable: true },
    ...more,
  });
}

function rule(text: string, behavior: 'allow' | 'deny' | 'ask' = 'allow'): PermissionRule {
  const parsed = parseRule(text, { behavior, scope: 'flag', origin: 'a test' }, tools);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
}

describe('the gate judges real paths', () => {
  const edit = { old_string: 'a', new_string: 'b' };
  test.each<[string, PermissionMode, string, object, string]>([
    ['reads inside pass', 'default', 'ReadFile', { path: 'ws/a.txt' }, 'allow'],
    [
      'a sibling folder with the same beginning is outside',
      'acceptEdits',
      'WriteFile',
      { path: 'ws-evil/p.txt', content: '' },
      'ask',
    ],
    ['a link that leads out is outside', 'acceptEdits', 'WriteFile', { path: 'ws/link/p.txt', content: '' }, 'ask'],
    ['a dangling link is judged by its target', 'acceptEdits', 'WriteFile', { path: 'ws/dangling', content: '' }, 'ask'],
    ['dots are resolved', 'acceptEdits', 'WriteFile', { path: 'ws/src/../../out/p.txt', content: '' }, 'ask'],
    ['reads outside ask', 'default', 'ReadFile', { path: 'out/secret.txt' }, 'ask'],
    ['reads through a link that leads out ask', 'default', 'ReadFile', { path: 'ws/link/secret.txt' }, 'ask'],
    ['secrets ask, also inside', 'default', 'ReadFile', { path: 'ws/.env' }, 'ask'],
    ['secrets ask when permissions are bypassed', 'bypassPermissions', 'ReadFile', { path: 'home/.ssh/id_rsa' }, 'ask'],
    ['secrets are not written unasked', 'acceptEdits', 'WriteFile', { path: 'ws/.env.local', content: '' }, 'ask'],
    ['a search outside asks', 'default', 'Grep', { pattern: '.', path: 'out' }, 'ask'],
    ['a pattern that leads out asks', 'default', 'Glob', { pattern: '../**/*' }, 'ask'],
    ['a search inside passes', 'default', 'Glob', { pattern: '**/*' }, 'allow'],
    ['edits ask', 'default', 'EditFile', { path: 'ws/a.txt', ...edit }, 'ask'],
    ['edits inside pass where they are accepted', 'acceptEdits', 'EditFile', { path: 'ws/a.txt', ...edit }, 'allow'],
    [
      'what governs other tools asks also then',
      'acceptEdits',
      'WriteFile',
      { path: 'ws/.git/hooks/pre-commit', content: '' },
      'ask',
    ],
    ['and also when permissions are bypassed', 'bypassPermissions', 'WriteFile', { path: 'ws/.GIT/hooks/x', content: '' }, 'ask'],
    [
      'and instructions that a trusted folder loads',
      'acceptEdits',
      'WriteFile',
      { path: 'ws/sub/AGENTS.md', content: '' },
      'ask',
    ],
    ['our own settings are such', 'acceptEdits', 'WriteFile', { path: 'ws/.wield/settings.json', content: '' }, 'ask'],
    ['plan mode refuses edits', 'plan', 'EditFile', { path: 'ws/a.txt', ...edit }, 'deny'],
    ['plan mode refuses commands that change something', 'plan', 'Bash', { command: 'touch x' }, 'deny'],
    ['and those that run the project', 'plan', 'Bash', { command: 'npm test' }, 'deny'],
    ['and those that are not understood', 'plan', 'Bash', { command: 'ls "$(' }, 'deny'],
    ['plan mode lets commands read', 'plan', 'Bash', { command: 'ls' }, 'allow'],
    ['plan mode reads', 'plan', 'ReadFile', { path: 'ws/a.txt' }, 'allow'],
    ['commands that read pass', 'default', 'Bash', { command: 'ls && cat a.txt | head -n 1' }, 'allow'],
    ['commands that change files ask', 'default', 'Bash', { command: 'touch x' }, 'ask'],
    ['they pass where edits are accepted', 'acceptEdits', 'Bash', { command: 'touch x && echo y > z' }, 'allow'],
    ['but not beyond the workspace', 'acceptEdits', 'Bash', { command: 'touch link/x' }, 'ask'],
    ['nor where other tools are governed', 'acceptEdits', 'Bash', { command: 'echo y > .git/config' }, 'ask'],
    ['nor with a folder in which that is', 'acceptEdits', 'Bash', { command: 'rm -r .' }, 'ask'],
    ['commands that run the project ask then too', 'acceptEdits', 'Bash', { command: 'npm test' }, 'ask'],
    ['commands pass when permissions are bypassed', 'bypassPermissions', 'Bash', { command: 'npm test' }, 'allow'],
    ['also where it is not known on what', 'bypassPermissions', 'Bash', { command: 'cat "$FILE"' }, 'allow'],
    ['but not on what governs other tools', 'bypassPermissions', 'Bash', { command: 'echo y > .git/config' }, 'ask'],
    ['a command that reads a secret asks', 'default', 'Bash', { command: 'cat .env' }, 'ask'],
    ['or all below a folder that holds one', 'default', 'Bash', { command: 'grep -r KEY .' }, 'ask'],
    ['that a secret is there is none', 'default', 'Bash', { command: 'ls -la .env' }, 'allow'],
    ['a command that reads beyond the workspace asks', 'default', 'Bash', { command: 'cat link/secret.txt' }, 'ask'],
    ['what every program reads is no secret', 'default', 'Bash', { command: 'cat /etc/hostname /usr/lib/os-release' }, 'allow'],
    ['some of it is', 'default', 'Bash', { command: 'cat /etc/shadow' }, 'ask'],
    ['what is known only at run time asks', 'default', 'Bash', { command: 'cat "$FILE"' }, 'ask'],
    ['what is not understood asks', 'default', 'Bash', { command: 'ls "$(' }, 'ask'],
    ['output of the session may be read', 'default', 'ReadFile', { path: 'spill/output.txt' }, 'allow'],
  ])('%s', async (_what, mode, name, input, decision) => {
    const placed = 'path' in input ? { ...input, path: outer.path(String(input.path)) } : input;
    expect((await policyFor(mode).judge(toolNamed(name), placed)).decision).toBe(decision);
  });
});

describe('rules', () => {
  test('an exact command passes, and nothing that only begins like it', async () => {
    const policy = policyFor('default', [rule('Bash(npm test)')]);
    const decide = async (command: string) => (await policy.judge(toolNamed('Bash'), { command })).decision;
    expect(await decide('npm test')).toBe('allow');
    expect(await decide('npm test; rm -rf .')).toBe('ask');
    expect(await decide('npm test && true')).toBe('allow');
    expect(await decide('npm test && touch x')).toBe('ask');
    expect(await decide('npm testing')).toBe('ask');
  });

  test('deny goes before allow and before every mode', async () => {
    const policy = policyFor('bypassPermissions', [rule('Bash(rm -rf .)', 'deny'), rule('ReadFile', 'deny')]);
    expect((await policy.judge(toolNamed('Bash'), { command: 'rm -rf .' })).decision).toBe('deny');
    expect((await policy.judge(toolNamed('ReadFile'), { path: `${root}/a.txt` })).decision).toBe('deny');
  });

  test('an allow rule answers no question about the outside, secrets, or what governs tools', async () => {
    const policy = policyFor('default', [rule('ReadFile'), rule('WriteFile')]);
    expect((await policy.judge(toolNamed('ReadFile'), { path: `${root}/.env` })).decision).toBe('ask');
    expect((await policy.judge(toolNamed('ReadFile'), { path: outer.path('out/secret.txt') })).decision).toBe('ask');
    expect((await policy.judge(toolNamed('WriteFile'), { path: `${root}/.git/config`, content: '' })).decision).toBe('ask');
    expect((await policy.judge(toolNamed('WriteFile'), { path: `${root}/new.txt`, content: '' })).decision).toBe('allow');
  });

  test('a rule that would allow every command matches nothing and says so', () => {
    const fault = (text: string) => parseRule(text, { behavior: 'allow', scope: 'flag', origin: '--allowedTools' }, tools);
    expect(fault('Bash')).toMatchObject({ fault: expect.stringContaining('It matches nothing') });
    expect(fault('Teleport(x)')).toMatchObject({ fault: expect.stringContaining('names no tool') });
    expect(fault('Bash(npm test')).toMatchObject({ fault: expect.stringContaining('does not close') });
  });

  test('an offered rule covers the exact command and holds once it is remembered', async () => {
    const policy = policyFor('default');
    const first = await policy.judge(toolNamed('Bash'), { command: 'npm test' });
    expect(first.offers).toEqual([
      { behavior: 'allow', tool: 'Bash', specifier: 'npm test', scope: 'session', origin: 'this session', covers: ['npm test'] },
    ]);
    for (const offer of first.offers) await policy.remember(offer);
    expect((await policy.judge(toolNamed('Bash'), { command: 'npm test' })).decision).toBe('allow');
    expect((await policy.judge(toolNamed('Bash'), { command: 'npm run x' })).decision).toBe('ask');
  });

  test('nothing is offered for what must always ask', async () => {
    const policy = policyFor('default');
    expect((await policy.judge(toolNamed('ReadFile'), { path: `${root}/.env` })).offers).toEqual([]);
    expect((await policy.judge(toolNamed('WriteFile'), { path: outer.path('out/x'), content: '' })).offers).toEqual([]);
  });

  test('lists of rules split at commas and spaces outside parentheses', () => {
    expect(splitRules('Bash(npm test),ReadFile Bash(git log -n 1, x)')).toEqual([
      'Bash(npm test)',
      'ReadFile',
      'Bash(git log -n 1, x)',
    ]);
  });
});

test('a tool that says nothing of itself asks, and is never covered by acceptEdits', async () => {
  const mystery = defineTool({
    name: 'Mystery',
    description: 'Who knows.',
    inputSchema: { type: 'object', properties: {} } as const,
    execute: async () => succeed('?'),
  });
  for (const mode of ['default', 'acceptEdits'] as const) {
    expect(await policyFor(mode).judge(mystery, {})).toMatchObject({
      decision: 'ask',
      offers: [],
      parts: [{ cause: 'destructive' }],
    });
  }
});
