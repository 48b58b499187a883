import { describe, expect, test } from 'vitest';
import { renderTodos, TodoList } from './todo-list.ts';

describe('the plan of a session', () => {
  test('three items without ids get three of their own', () => {
    const list = new TodoList();
    expect(list.plan(['read', 'write', 'test'])).toEqual({
      list: [
        { id: '1', content: 'read', status: 'pending' },
        { id: '2', content: 'write', status: 'pending' },
        { id: '3', content: 'test', status: 'pending' },
      ],
    });
  });

  test('a rewrite that inserts one in the middle keeps ids and progress with their items', () => {
    const list = new TodoList();
    list.plan(['read', 'write', 'test']);
    list.setStatus('2', 'completed');
    list.plan(['read', 'think', 'write', 'test']);
    expect(list.items).toEqual([
      { id: '1', content: 'read', status: 'pending' },
      { id: '4', content: 'think', status: 'pending' },
      { id: '2', content: 'write', status: 'completed' },
      { id: '3', content: 'test', status: 'pending' },
    ]);
  });

  test('new steps alone go to the end, and nothing is lost', () => {
    const list = new TodoList();
    list.plan(['read', 'write']);
    list.plan(['test', 'ship']);
    expect(list.items.map(({ id, content }) => `${id} ${content}`)).toEqual(['1 read', '2 write', '3 test', '4 ship']);
  });

  test('the same step twice, or one without words, changes nothing', () => {
    const list = new TodoList();
    list.plan(['read']);
    const before = list.items;
    expect(list.plan(['new', 'write', 'write'])).toEqual({
      problem: '"write" stands twice in the list; nothing was changed. Name each step once.',
    });
    expect(list.plan(['new', '  '])).toEqual({ problem: 'Item 2 has no content; nothing was changed.' });
    expect(list.items).toBe(before);
  });

  test('an unknown id lists the known ones', () => {
    const list = new TodoList();
    expect(list.setStatus('7', 'completed')).toEqual({
      problem: 'There is no todo "7"; nothing was changed. The list is empty; write it with CreateTodos first.',
    });
    list.plan(['read', 'write']);
    expect(list.setStatus('0', 'completed')).toEqual({
      problem: 'There is no todo "0"; nothing was changed. Known ids: 1 (read), 2 (write).',
    });
  });

  test('only one can be in progress, and the refusal names the other and the way out', () => {
    const list = new TodoList();
    list.plan(['read', 'write']);
    list.setStatus('1', 'in_progress');
    expect(list.setStatus('2', 'in_progress')).toMatchObject({
      problem: expect.stringContaining('First set id 1 to completed, pending or cancelled.'),
    });
    expect(list.items[1]?.status).toBe('pending');
    expect(list.setStatus('1', 'in_progress')).toHaveProperty('list');
  });

  test('tells of each change', () => {
    const list = new TodoList();
    const seen: number[] = [];
    list.onChange((items) => void seen.push(items.length));
    list.plan(['read']);
    list.plan(['write']);
    list.setStatus('9', 'completed');
    expect(seen).toEqual([1, 2]);
  });

  test('goes on with the ids of an earlier session', () => {
    const list = new TodoList([{ id: '5', content: 'read', status: 'completed' }]);
    list.plan(['write']);
    expect(list.items.map(({ id }) => id)).toEqual(['5', '6']);
  });

  test('is shown whole with its counts', () => {
    const list = new TodoList();
    list.plan(['read', 'write', 'test']);
    list.setStatus('1', 'completed');
    list.setStatus('2', 'in_progress');
    expect(renderTodos(list.items)).toBe(
      '3 todos: 1 pending, 1 in progress, 1 completed\n[x] 1. read\n[>] 2. write\n[ ] 3. test',
    );
  });
});
