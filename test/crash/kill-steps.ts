import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { WriteJournal } from '../../src/host/files/write-journal.ts';
import { journalOf, makeTree, NEW, OLD, runAndKill, type TreeChange, treeOf } from './killed-change.ts';

interface Outcome {
  readonly killAt: number;
  readonly isKilled: boolean;
  readonly tree: Record<string, string>;
  readonly twin: string;
  readonly journal: readonly string[];
}

/** Runs the change in a fresh tree, kills it before its nth step, and starts again. */
async function killBeforeStep(what: TreeChange, killAt: number): Promise<Outcome> {
  const project = makeTree();
  try {
    const { isKilled, stdout } = await runAndKill(project, what, killAt);
    if (!isKilled) expect(stdout).toMatch(/^false: /);
    await new WriteJournal(project.path('journal')).recover();
    return {
      killAt,
      isKilled,
      tree: treeOf(project.path('tree')),
      twin: readFileSync(project.path('twins/linked.txt'), 'utf8'),
      journal: journalOf(project),
    };
  } finally {
    project.remove();
  }
}

const AT_ONCE = 4;

/** Kills it before each `stride`-th of its steps. */
async function killAtSteps(what: TreeChange, stride: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.at(-1)?.isKilled !== false) {
    const next = Array.from({ length: AT_ONCE }, (_, i) => killBeforeStep(what, 1 + (outcomes.length + i) * stride));
    outcomes.push(...(await Promise.all(next)));
  }
  return outcomes;
}

function sorted(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A change, what becomes of the tree, and how many steps it takes at least. */
export interface KilledChange {
  readonly what: TreeChange;
  readonly after: Readonly<Record<string, string>>;
  readonly minSteps: number;
}

export const CHANGES: readonly KilledChange[] = [
  { what: 'patch', after: NEW, minSteps: 30 },
  { what: 'write', after: { ...OLD, 'a.txt': 'A\n' }, minSteps: 8 },
  { what: 'write of a linked file', after: { ...OLD, 'linked.txt': NEW['linked.txt'] }, minSteps: 12 },
];

/** After the next start all is old or all is new, and no temp file stays. */
export async function expectAllOrNothing({ what, after, minSteps }: KilledChange, stride: number): Promise<void> {
  const outcomes = await killAtSteps(what, stride);
  const kinds = outcomes.map(({ killAt, tree }) => {
    const isNew = JSON.stringify(tree) === JSON.stringify(sorted(after));
    if (!isNew) expect(tree, `killed before step ${killAt}`).toEqual(sorted(OLD));
    return isNew ? 'new' : 'old';
  });
  expect(outcomes.filter(({ tree, twin }) => tree['linked.txt'] !== twin)).toEqual([]);
  expect(outcomes.filter(({ journal }) => journal.length > 0)).toEqual([]);
  // Both sides of the commit were hit, each in one piece.
  expect(kinds).toEqual(kinds.toSorted().toReversed());
  expect(new Set(kinds).size).toBe(2);
  expect(outcomes.length * stride).toBeGreaterThan(minSteps);
}
