import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../test/git-project.ts';
import type { PermissionRule } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { createAllTools } from '../tools/builtin.ts';
import { createPolicy } from './policy.ts';

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'run.sh': '#!/bin/sh\n', a: 'a' });
});
afterEach(() => project.remove());

const BASH = createAllTools().find(({ name }) => name === 'Bash') as Tool;

function rule(text: string): PermissionRule {
  const [, tool = '', specifier = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  return { behavior: 'allow', tool, specifier, scope: 'user', origin: 'test' };
}

async function judged(command: string, ...rules: readonly string[]): Promise<string> {
  const policy = createPolicy({
    mode: 'acceptEdits',
    cwd: project.root,
    home: `${project.base}/home`,
    roots: [project.root],
    readableRoots: [],
    rules: rules.map(rule),
    environment: { PATH: `${project.root}/node_modules/.bin:${process.env['PATH']}` },
    sandbox: { isAvailable: true },
  });
  const { decision, grant } = await policy.judge(BASH, { command });
  return grant.confinement.network ? `${decision} with network` : decision;
}

test('a part that acts has the network of another one only by a right of its own', async () => {
  const rules = ['Bash(git fetch:*)', 'Bash(npm test)'];
  expect(await judged('npm test', ...rules)).toBe('allow');
  expect(await judged('git fetch', ...rules)).toBe('allow with network');
  for (const command of ['git fetch; npm test', 'npm test && git fetch', 'git fetch & npm test', 'git fetch | npm test'])
    expect(await judged(command, ...rules), command).toBe('ask with network');
  expect(await judged('git fetch; npm test', ...rules, 'Network(npm test)')).toBe('allow with network');
  expect(await judged('git fetch && git log -1', ...rules)).toBe('allow with network');
});

test('what comes to stand in a folder of PATH asks, however it gets there', async () => {
  mkdirSync(project.path('node_modules/.bin'), { recursive: true });
  for (const command of [
    'cp run.sh node_modules/.bin/tac',
    'cp run.sh node_modules/.bin/tac && tac a',
    'mv run.sh node_modules/.bin',
    'ln -s ../../run.sh node_modules/.bin/tac',
    'chmod +x node_modules/.bin/tac',
    'echo x > node_modules/.bin/tac',
  ])
    expect(await judged(command), command).toBe('ask');
  expect(await judged('cp run.sh other.sh')).toBe('allow');
});

test('env may not take away what keeps git safe', async () => {
  for (const command of ['env -i git status', 'env -u GIT_CONFIG_COUNT git status', 'env - git status'])
    expect(await judged(command), command).toBe('ask');
  expect(await judged('env git status')).toBe('allow');
});

test('a rule for git add or git stash takes in nothing that git ignores', async () => {
  const rules = ['Bash(git add:*)', 'Bash(git stash:*)', 'Bash(git diff:*)'];
  for (const command of ['git add a', 'git add -A', 'git stash push'])
    expect(await judged(command, ...rules), command).toBe('allow');
  for (const command of [
    'git add -fA; git diff --cached',
    'git add --force .',
    'git add -Af',
    'git stash push -a -q',
    'git stash -u',
  ])
    expect(await judged(command, ...rules), command).toBe('ask');
});
