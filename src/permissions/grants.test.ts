import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { composeTools } from '../app/compose-tools.ts';
import { UNCONFINED } from '../core/permission.ts';
import type { GrepRequest } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { textOf } from '../core/message.ts';
import { TodoList } from '../core/todo-list.ts';
import type { ToolContext } from '../core/tool.ts';

let outer: TestProject;
beforeEach(() => {
  outer = createProject({ 'real-home/.ssh/config': 'Host TOKEN\n', 'real-home/.env': 'TOKEN=1\n', 'real-home/a.txt': 'TOKEN\n' });
  symlinkSync(outer.path('real-home'), outer.path('home'));
});
afterEach(() => outer.remove());

/** What a permitted call works with, in a session whose home stands behind a link. */
function permitted(path: string): { registry: ToolRegistry; context: ToolContext } {
  const workbench = composeTools({
    cwd: outer.path('real-home'),
    addDirs: [],
    mode: 'default',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: false,
    folders: { home: outer.path('home'), config: outer.path('config'), state: outer.path('state') },
    environment: process.env,
    sessionId: 'test',
    todos: new TodoList(),
    seesImages: false,
  });
  const options = workbench.runnerOptions({ started: async () => undefined, finished: async () => undefined });
  const call = { type: 'tool_use', id: 'c', wireId: null, name: 'Grep', input: {} } as const;
  const footprint = { extent: 'listed', reads: [{ kind: 'file', path }], writes: [] } as const;
  const context = options.contextFor(call, { footprint, confinement: UNCONFINED }, new AbortController().signal, () => undefined);
  return { registry: workbench.registry, context };
}

async function filesFound(path: string): Promise<string[]> {
  const { search, signal } = permitted(path).context;
  const request: GrepRequest = {
    path,
    pattern: 'TOKEN',
    glob: null,
    contextLines: 0,
    ignoreCase: false,
    multiline: false,
    includeIgnored: false,
    maxResults: 10,
    timeoutMs: 5000,
    signal,
  };
  return (await search.grep(request)).files.map((file) => file.path);
}

test('a search shows no secrets of a home that stands behind a link', async () => {
  expect(await filesFound(outer.path('real-home'))).toEqual(['a.txt']);
});

test('a place that is itself secret is searched once it was permitted', async () => {
  expect(await filesFound(outer.path('real-home/.ssh'))).toEqual(['config']);
  expect(await filesFound(outer.path('real-home/.env'))).toEqual(['.env']);
});

test('a diff names a secret file and shows no line of it, unless it was permitted by name', async () => {
  const home = outer.path('real-home');
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-C', home, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { stdio: 'ignore' });
  git('init', '-b', 'main');
  git('add', '-A');
  git('commit', '-m', 'first');
  writeFileSync(join(home, '.env'), 'TOKEN=changed\n');
  writeFileSync(join(home, 'a.txt'), 'plain change\n');
  const diffOf = async (path: string): Promise<string> => {
    const { registry, context } = permitted(path);
    return textOf((await registry.get('GitDiff')?.execute(context, { path }))?.content ?? []);
  };
  const whole = await diffOf(home);
  expect(whole).toContain('+plain change');
  expect(whole).toContain('.env');
  expect(whole).not.toContain('TOKEN=changed');
  expect(whole).toContain('Lines not shown, because they may hold secrets: .env.');
  expect(await diffOf(join(home, '.env'))).toContain('+TOKEN=changed');
  git('mv', '.env', 'plain.txt');
  const renamed = await diffOf(home);
  expect(renamed).not.toContain('TOKEN=1');
});
