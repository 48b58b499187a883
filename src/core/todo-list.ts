export const TODO_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
/** How far an item of a plan is. */
export type TodoStatus = (typeof TODO_STATUSES)[number];

/** One step of a plan. `id` is short, stays with its item, and is never given to another. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
}

/** What a change came to: the list, or why nothing was changed. */
export type TodoChange = { readonly list: readonly Todo[] } | { readonly problem: string };

/** The plan of a session. At most one item is in progress; a change is whole or not at all. */
export class TodoList {
  #items: readonly Todo[];
  #nextId: number;
  readonly #listeners = new Set<(list: readonly Todo[]) => void>();

  constructor(items: readonly Todo[] = []) {
    this.#items = items;
    this.#nextId = firstIdBehind(items);
  }

  get items(): readonly Todo[] {
    return this.#items;
  }

  /** The plan of another point of the session: nothing that is told of as a change. */
  replace(items: readonly Todo[]): void {
    this.#items = items;
    this.#nextId = Math.max(this.#nextId, firstIdBehind(items));
  }

  /** Called after each change. */
  onChange(listener: (list: readonly Todo[]) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Takes a plan in its order. An item that is there already, by its content, keeps its id and status; a new one goes behind the one
   * named before it. What the plan does not name stays: cancelling is an act of its own.
   */
  plan(contents: readonly string[]): TodoChange {
    const wanted = contents.map((content) => content.trim());
    const blank = wanted.indexOf('');
    if (blank !== -1) return { problem: `Item ${blank + 1} has no content; nothing was changed.` };
    const twice = wanted.find((content, i) => wanted.indexOf(content) !== i);
    if (twice !== undefined) return { problem: `"${twice}" stands twice in the list; nothing was changed. Name each step once.` };
    let items = [...this.#items];
    let before = items.length - 1;
    for (const content of wanted) {
      const known = items.findIndex((item) => item.content === content);
      if (known === -1) items = items.toSpliced(before + 1, 0, { id: String(this.#nextId++), content, status: 'pending' });
      before = known === -1 ? before + 1 : known;
    }
    return this.#set(items);
  }

  setStatus(id: string, status: TodoStatus): TodoChange {
    const item = this.#items.find((candidate) => candidate.id === id);
    if (item === undefined) return { problem: `There is no todo "${id}"; nothing was changed. ${this.#knownIds()}` };
    const active = this.#items.find((candidate) => candidate.status === 'in_progress' && candidate.id !== id);
    if (status === 'in_progress' && active !== undefined) {
      return {
        problem: `"${active.content}" (id ${active.id}) is in progress, and only one can be; nothing was changed. First set id ${active.id} to completed, pending or cancelled.`,
      };
    }
    return this.#set(this.#items.map((candidate) => (candidate.id === id ? { ...candidate, status } : candidate)));
  }

  #set(items: readonly Todo[]): TodoChange {
    this.#items = items;
    for (const listener of this.#listeners) listener(items);
    return { list: items };
  }

  #knownIds(): string {
    if (this.#items.length === 0) return 'The list is empty; write it with CreateTodos first.';
    return `Known ids: ${this.#items.map(({ id, content }) => `${id} (${content})`).join(', ')}.`;
  }
}

const MARKS: Record<TodoStatus, string> = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' };

/** The whole list with its counts, a line an item. */
export function renderTodos(items: readonly Todo[]): string {
  const counts = TODO_STATUSES.map(
    (status) => [items.filter((item) => item.status === status).length, status.replace('_', ' ')] as const,
  );
  const head = counts.filter(([count]) => count > 0).map(([count, status]) => `${count} ${status}`);
  return [
    `${items.length} todos: ${head.join(', ')}`,
    ...items.map(({ id, content, status }) => `${MARKS[status]} ${id}. ${content}`),
  ].join('\n');
}

function firstIdBehind(items: readonly Todo[]): number {
  return 1 + items.reduce((highest, { id }) => Math.max(highest, Number(id) || 0), 0);
}
