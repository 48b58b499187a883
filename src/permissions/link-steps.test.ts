import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import type { PermissionMode } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { createAllTools } from '../tools/builtin.ts';
import { linkSteps } from './link-steps.ts';
import { createPolicy } from './policy.ts';

let outer: TestProject;
let root: string;
beforeEach(() => {
  outer = createProject({
    'ws/docs/guide.md': 'x',
    'ws/docs/plain.md': 'x',
    'ws/conf/settings.json': '{}',
    'ws/ci/workflows/a.yml': '',
    'ws/sub/x.md': 'x',
    'ws/keys.txt': 'KEY=1',
  });
  root = outer.path('ws');
  symlinkSync('docs/guide.md', outer.path('ws/AGENTS.md'));
  symlinkSync('conf', outer.path('ws/.vscode'));
  symlinkSync('ci', outer.path('ws/.github'));
  symlinkSync('x.md', outer.path('ws/sub/CLAUDE.md'));
  symlinkSync('CLAUDE.md', outer.path('ws/sub/other.md'));
  symlinkSync('keys.txt', outer.path('ws/.env'));
});
afterEach(() => outer.remove());

const tools = createAllTools();

async function decide(mode: PermissionMode, name: string, input: object): Promise<string> {
  const policy = createPolicy({
    mode,
    cwd: root,
    home: outer.path('home'),
    roots: [root],
    readableRoots: [],
    rules: [],
    environment: process.env,
    sandbox: { isAvailable: true },
  });
  const { decision, parts } = await policy.judge(tools.find((tool) => tool.name === name) as Tool, input);
  return `${decision} ${parts.find((part) => part.decision === decision)?.cause}`;
}

describe('a protected name that is a link is protected where it leads, and by each name on the way', () => {
  test.each([
    'AGENTS.md',
    'docs/guide.md',
    '.vscode/tasks.json',
    'conf/tasks.json',
    'ci/workflows/a.yml',
    'sub/CLAUDE.md',
    'sub/other.md',
  ])('%s', async (name) => {
    for (const mode of ['acceptEdits', 'bypassPermissions'] as const) {
      expect(await decide(mode, 'WriteFile', { path: `${root}/${name}`, content: '' })).toBe('ask protected');
      expect(await decide(mode, 'Bash', { command: `echo x > ${name}` })).toBe('ask protected');
      expect(await decide(mode, 'Bash', { command: `touch ${name}` })).toBe('ask protected');
    }
  });

  test('also below a folder that goes as a whole', async () => {
    expect(await decide('bypassPermissions', 'Bash', { command: 'rm -r docs' })).toBe('ask protected');
    expect(await decide('acceptEdits', 'Bash', { command: 'mv docs old' })).toBe('ask protected');
  });

  test('what lies beside it is not', async () => {
    expect(await decide('acceptEdits', 'WriteFile', { path: `${root}/docs/plain.md`, content: '' })).toBe('allow mode');
    expect(await decide('acceptEdits', 'Bash', { command: 'touch docs/plain.md ci/x sub/x2.md' })).toBe('allow mode');
  });
});

test('a name for secrets that is a link is one where it leads to a harmless name', async () => {
  for (const mode of ['default', 'bypassPermissions'] as const) {
    expect(await decide(mode, 'ReadFile', { path: `${root}/.env` })).toBe('ask secret');
    expect(await decide(mode, 'Bash', { command: 'cat .env' })).toBe('ask secret');
  }
});

test('the names on the way are those before each link; a cycle ends', async () => {
  expect(linkSteps(`${root}/docs/plain.md`)).toEqual([]);
  expect(linkSteps(`${root}/sub/other.md`)).toEqual([`${root}/sub/other.md`, `${root}/sub/CLAUDE.md`]);
  expect(linkSteps(`${root}/.vscode/new/x`)).toEqual([`${root}/.vscode/new/x`]);
  mkdirSync(`${root}/far`);
  symlinkSync(`${root}/conf`, `${root}/far/abs`);
  expect(linkSteps(`${root}/far/abs/../AGENTS.md`)).toEqual([`${root}/far/AGENTS.md`, `${root}/AGENTS.md`]);
  symlinkSync('loop', `${root}/loop`);
  expect(linkSteps(`${root}/loop`).length).toBeLessThan(50);
});
