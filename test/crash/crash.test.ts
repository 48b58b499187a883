import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WriteJournal } from '../../src/host/files/write-journal.ts';
import { journalOf, makeTree, NEW, OLD, runAndKill, treeOf } from './killed-change.ts';

interface Outcome {
  readonly killAt: number;
  readonly isKilled: boolean;
  readonly tree: Record<string, string>;
  readonly twin: string;
  readonly journal: readonly string[];
}

/** Runs the change in a fresh tree, kills it before its nth step, and starts again. */
async function killBeforeStep(what: 'patch' | 'write' | 'write of a linked file', killAt: number): Promise<Outcome> {
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

async function killAtEveryStep(what: 'patch' | 'write' | 'write of a linked file'): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.at(-1)?.isKilled !== false) {
    const next = Array.from({ length: AT_ONCE }, (_, i) => killBeforeStep(what, outcomes.length + i + 1));
    outcomes.push(...(await Promise.all(next)));
  }
  return outcomes;
}

function sorted(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('a change that is killed at any of its steps', () => {
  test.each([
    ['patch', OLD, NEW, 30],
    ['write', OLD, { ...OLD, 'a.txt': 'A\n' }, 8],
    ['write of a linked file', OLD, { ...OLD, 'linked.txt': NEW['linked.txt'] }, 12],
  ] as const)(
    '%s: after the next start all is old or all is new, and no temp file stays',
    { timeout: 180_000 },
    async (what, before, after, minSteps) => {
      const outcomes = await killAtEveryStep(what);
      const kinds = outcomes.map(({ killAt, tree }) => {
        const isNew = JSON.stringify(tree) === JSON.stringify(sorted(after));
        if (!isNew) expect(tree, `killed before step ${killAt}`).toEqual(sorted(before));
        return isNew ? 'new' : 'old';
      });
      expect(outcomes.filter(({ tree, twin }) => tree['linked.txt'] !== twin)).toEqual([]);
      expect(outcomes.filter(({ journal }) => journal.length > 0)).toEqual([]);
      // Both sides of the commit were hit, each in one piece.
      expect(kinds).toEqual(kinds.toSorted().toReversed());
      expect(new Set(kinds).size).toBe(2);
      expect(outcomes.length).toBeGreaterThan(minSteps);
    },
  );
});
