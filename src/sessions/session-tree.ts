/** A session in a tree of branches; `depth` 0 stands by itself. */
export interface Placed<T> {
  readonly session: T;
  readonly depth: number;
}

interface Branch {
  readonly id: string;
  readonly parent: { readonly id: string } | null;
}

/** Sessions, the newest first, as a tree: each branch below the session that it left, and a tree where its newest branch would stand. */
export function treeOf<T extends Branch>(newestFirst: readonly T[]): readonly Placed<T>[] {
  const byId = new Map(newestFirst.map((session) => [session.id, session]));
  const placed: Placed<T>[] = [];
  const done = new Set<string>();
  const place = (session: T, depth: number): void => {
    if (done.has(session.id)) return;
    done.add(session.id);
    placed.push({ session, depth });
    for (const other of newestFirst) if (other.parent?.id === session.id) place(other, depth + 1);
  };
  for (const session of newestFirst) place(rootOf(session, byId), 0);
  // What points in a circle was not written by us; nothing is left out for that.
  for (const session of newestFirst) place(session, 0);
  return placed;
}

/** The oldest session that is still there. */
function rootOf<T extends Branch>(session: T, byId: ReadonlyMap<string, T>): T {
  let root = session;
  for (let steps = 0; steps < byId.size; steps++) {
    const parent = root.parent === null ? undefined : byId.get(root.parent.id);
    if (parent === undefined) return root;
    root = parent;
  }
  return root;
}
