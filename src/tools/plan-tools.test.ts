import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { createScriptedProvider } from '../providers/scripted.ts';

let project: TestProject;
afterEach(() => project.remove());

test('a plan is written and followed, unasked in every mode', async () => {
  project = createProject();
  const provider = createScriptedProvider([
    // Sent as text, as some models do.
    { calls: [{ name: 'create_todos', input: { todos: '[{"content":"read"},{"content":"write"}]' } }] },
    { calls: [{ name: 'UpdateTodo', input: { id: '1', status: 'in_progress' } }] },
    {
      calls: [
        { name: 'UpdateTodo', input: { id: '9', status: 'completed' } },
        { name: 'UpdateTodo', input: { id: '1', status: 'finished' } },
        { name: 'UpdateTodo', input: { id: 2, status: 'cancelled' } },
        { name: 'CreateTodos', input: { todos: [{ content: 'more', status: 'pending' }] } },
      ],
    },
    { text: 'done' },
  ]);
  const events = await runToEnd(createTestAgent(project, provider, { mode: 'plan' }), 'go');
  expect(resultsOf(events)).toEqual([
    { isError: false, text: '2 todos: 2 pending\n[ ] 1. read\n[ ] 2. write' },
    { isError: false, text: '2 todos: 1 pending, 1 in progress\n[>] 1. read\n[ ] 2. write' },
    { isError: true, text: 'There is no todo "9"; nothing was changed. Known ids: 1 (read), 2 (write).' },
    {
      isError: true,
      text: expect.stringContaining('"status" must be one of "pending", "in_progress", "completed", "cancelled"'),
    },
    { isError: false, text: '2 todos: 1 in progress, 1 cancelled\n[>] 1. read\n[-] 2. write' },
    { isError: true, text: 'CreateTodos was not run: Unknown key "todos.0.status". Known keys: "content".' },
  ]);
});
