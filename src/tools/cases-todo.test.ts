import { afterEach, beforeEach, expect, test } from 'vitest';
import { createToolBench, type ToolBench } from '../../test/tool-bench.ts';

let bench: ToolBench;
beforeEach(() => {
  bench = createToolBench();
});
afterEach(() => bench.close());

const plan = (...contents: readonly string[]) => bench.call('CreateTodos', { todos: contents.map((content) => ({ content })) });
const update = (id: unknown, status: string) => bench.call('UpdateTodo', { id, status });

/** The list, without its head. */
async function listed(): Promise<string[]> {
  const { text } = await update('1', 'pending');
  return text.split('\n').slice(1);
}

test('an id that is none changes nothing, however near it is', async () => {
  await plan('read', 'write');
  for (const id of ['7', '0', '-1', '01', '1.', '#1', '1, 2', '', '__proto__', 'read']) {
    expect(await update(id, 'completed')).toEqual({
      isError: true,
      text: `There is no todo "${id}"; nothing was changed. Known ids: 1 (read), 2 (write).`,
      metadata: undefined,
    });
  }
  for (const id of [0, 1.5])
    expect(await update(id, 'completed')).toMatchObject({
      isError: true,
      text: expect.stringContaining(`There is no todo "${id}"`),
    });
  for (const id of [null, ['1', '7'], { id: '1' }])
    expect(await update(id, 'completed')).toMatchObject({
      isError: true,
      text: expect.stringContaining('"id" must be a string'),
    });
  expect(await listed()).toEqual(['[ ] 1. read', '[ ] 2. write']);
});

test('a second step in progress is refused with the step that is, and the call that it names helps', async () => {
  await plan('read', 'write');
  await update('1', 'in_progress');
  expect(await update('2', 'in_progress')).toEqual({
    isError: true,
    text: '"read" (id 1) is in progress, and only one can be; nothing was changed. First set id 1 to completed, pending or cancelled.',
    metadata: undefined,
  });
  await update('1', 'completed');
  expect((await update('2', 'in_progress')).text).toBe('2 todos: 1 in progress, 1 completed\n[x] 1. read\n[>] 2. write');
});

test('steps keep their ids and progress through a rewrite, and an id is never given twice', async () => {
  await plan('read', 'write', 'test');
  await update('2', 'completed');
  expect((await plan('read', 'think', 'write', 'test')).text).toBe(
    '4 todos: 3 pending, 1 completed\n[ ] 1. read\n[ ] 4. think\n[x] 2. write\n[ ] 3. test',
  );
  expect((await plan('test', 'ship', 'read')).text.split('\n').slice(1)).toEqual([
    '[ ] 1. read',
    '[ ] 4. think',
    '[x] 2. write',
    '[ ] 3. test',
    '[ ] 5. ship',
  ]);
});

test('ids that a call brings along, and a step named twice, are refused and change nothing', async () => {
  await plan('read');
  const twice = {
    todos: [
      { id: '1', content: 'write' },
      { id: '1', content: 'test' },
    ],
  };
  expect(await bench.call('CreateTodos', twice)).toMatchObject({
    isError: true,
    text: expect.stringContaining('Unknown key "todos.0.id"'),
  });
  for (const second of ['write', ' write ', 'write\n'])
    expect(await plan('write', second)).toMatchObject({ isError: true, text: expect.stringContaining('stands twice') });
  expect(await listed()).toEqual(['[ ] 1. read']);
});

test('a step of several lines is one line of the list', async () => {
  expect((await plan('read\n[x] 9. forged', 'a\r\n\tb')).text).toBe('2 todos: 2 pending\n[ ] 1. read [x] 9. forged\n[ ] 2. a b');
});
