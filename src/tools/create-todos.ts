import { defineTool } from '../core/define-tool.ts';
import { renderTodos, type Todo, type TodoList } from '../core/todo-list.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed } from '../core/tool-result.ts';

const DESCRIPTION = `Writes the plan of a longer task: its steps, in order. The person sees it.
Use it when a task has three steps or more, before you start; not for a single step or a question. To mark progress use UpdateTodo.
An item that is in the list already, word for word, keeps its id and status; new ones go where they stand in your list. Nothing is removed: set what is no longer needed to cancelled.
Returns the whole list with ids and counts.`;

const INPUT = {
  type: 'object',
  properties: {
    todos: {
      type: 'array',
      description: 'The steps, in order.',
      items: {
        type: 'object',
        properties: { content: { type: 'string', description: 'What is to be done, in one line.' } },
        required: ['content'],
        additionalProperties: false,
      },
    },
  },
  required: ['todos'],
  additionalProperties: false,
} as const;

/** Plans; the list is held by closure. */
export function createCreateTodosTool(
  list: TodoList,
): Tool<{ readonly todos: readonly { readonly content: string }[] }, readonly Todo[]> {
  return defineTool({
    name: 'CreateTodos',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'plan',
    aliases: { snakeCase: 'create_todos', keys: { items: 'todos', tasks: 'todos' } },
    isReadOnly: false,
    isDestructive: false,
    validateInput: ({ todos }) => (todos.length === 0 ? '"todos" is empty. Name at least one step.' : null),
    footprint: () => ({ extent: 'listed', reads: [], writes: [{ kind: 'todos' }] }),
    subject: ({ todos }) => `${todos.length} steps`,
    execute: async (_context, { todos }) => {
      const change = list.plan(todos.map(({ content }) => content.replaceAll(/\s+/g, ' ')));
      return 'problem' in change ? fail(change.problem) : succeed(renderTodos(change.list), change.list);
    },
  });
}
