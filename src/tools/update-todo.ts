import { defineTool } from '../core/define-tool.ts';
import { isJsonObject } from '../core/json-value.ts';
import { renderTodos, type Todo, TODO_STATUSES, type TodoList, type TodoStatus } from '../core/todo-list.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed } from '../core/tool-result.ts';

const DESCRIPTION = `Sets the status of one step of the plan: pending, in_progress, completed or cancelled.
Use it when you start a step and as soon as you have finished it; the list is written with CreateTodos. At most one step is in progress.
Returns the whole list with ids and counts.`;

const INPUT = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id, as the list shows it.' },
    status: { type: 'string', enum: TODO_STATUSES, description: 'The new status.' },
  },
  required: ['id', 'status'],
  additionalProperties: false,
} as const;

type UpdateTodoTool = Tool<{ readonly id: string; readonly status: TodoStatus }, readonly Todo[]>;

/** Marks progress; the list is held by closure. */
export function createUpdateTodoTool(list: TodoList): UpdateTodoTool {
  const tool: UpdateTodoTool = defineTool({
    name: 'UpdateTodo',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'plan',
    aliases: { snakeCase: 'update_todo', keys: { todo_id: 'id', todoId: 'id', state: 'status' } },
    isReadOnly: false,
    isDestructive: false,
    footprint: () => ({ extent: 'listed', reads: [], writes: [{ kind: 'todos' }] }),
    subject: ({ id, status }) => `${id} → ${status}`,
    execute: async (_context, { id, status }) => {
      const change = list.setStatus(id, status);
      return 'problem' in change ? fail(change.problem) : succeed(renderTodos(change.list), change.list);
    },
  });
  return Object.freeze({ ...tool, checkInput: (input: unknown) => tool.checkInput(withTextId(input)) });
}

/** The plan is shown as `1. …`, and some models send such an id as a number. */
function withTextId(input: unknown): unknown {
  return isJsonObject(input) && typeof input['id'] === 'number' ? { ...input, id: String(input['id']) } : input;
}
