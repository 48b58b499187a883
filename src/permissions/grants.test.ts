import { symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProject, type TestProject } from '../../test/agent-harness.ts';
import { composeTools } from '../app/compose-tools.ts';
import type { GrepRequest } from '../core/ports.ts';
import { TodoList } from '../core/todo-list.ts';

let outer: TestProject;
beforeEach(() => {
  outer = createProject({ 'real-home/.ssh/config': 'Host TOKEN\n', 'real-home/.env': 'TOKEN=1\n', 'real-home/a.txt': 'TOKEN\n' });
  symlinkSync(outer.path('real-home'), outer.path('home'));
});
afterEach(() => outer.remove());

/** What a permitted search finds, in a session whose home stands behind a link. */
async function filesFound(path: string): Promise<string[]> {
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
  const grant = { extent: 'listed', reads: [{ kind: 'file', path }], writes: [] } as const;
  const { signal } = new AbortController();
  const { search } = options.contextFor(call, grant, signal, () => undefined);
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
