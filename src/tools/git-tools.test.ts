import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestAgent, resultsOf, runToEnd } from '../../test/agent-harness.ts';
import { createGitProject, type GitProject } from '../../test/git-project.ts';
import { composeRegistry } from '../app/compose-tools.ts';
import { TodoList } from '../core/todo-list.ts';
import { createScriptedProvider } from '../providers/scripted.ts';

let project: GitProject;
beforeEach(() => {
  project = createGitProject({ 'a.txt': 'one\n', 'src/b.txt': 'one\n' });
});
afterEach(() => project.remove());

function registryWith(environment: NodeJS.ProcessEnv) {
  return composeRegistry({
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    mode: 'plan',
    todos: new TodoList(),
    cwd: project.root,
    environment,
  });
}

test('the git tools are offered where there is git, also in plan mode', () => {
  const names = registryWith(process.env).list({ category: 'git' });
  expect(names.map(({ name }) => name)).toEqual(['GitStatus', 'GitDiff']);
});

test('without git they are not offered, and a call learns why', () => {
  const registry = registryWith({ PATH: '/nowhere' });
  expect(registry.list({ category: 'git' })).toEqual([]);
  expect(registry.lookup('git_diff')).toEqual({ disabledBy: 'the lack of a program: git is not installed' });
});

test('through the gate they run unasked in the workspace, in any spelling, and not outside of it', async () => {
  const other = createGitProject({ 'x.txt': 'one\n' });
  other.write('x.txt', 'two\n');
  project.write('a.txt', 'two\n');
  symlinkSync(other.root, project.path('link'));
  const provider = createScriptedProvider([
    {
      calls: [
        { name: 'git_status', input: {} },
        { name: 'GitDiff', input: { file_path: project.path('a.txt'), cached: false } },
        { name: 'GitDiff', input: { path: project.path('link/x.txt') } },
        { name: 'GitDiff', input: { path: '/a\0b' } },
      ],
    },
    { text: 'done' },
  ]);
  const results = resultsOf(await runToEnd(createTestAgent(project, provider, { mode: 'default' }), 'go'));
  other.remove();
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true, true]);
  expect(results[0]?.text).toContain('Not staged (1):\n  modified: a.txt');
  expect(results[1]?.text).toContain('-one\n+two');
  expect(results[2]?.text).not.toContain('two');
  expect(results[3]?.text).toBe('GitDiff was not run: "path" holds a NUL character, which no path can.');
});
