import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WriteJournal } from '../../src/host/files/write-journal.ts';
import { createProject, type TestProject } from '../agent-harness.ts';

const OLD = { 'a.txt': 'a\n', 'linked.txt': 'linked\n', 'gone.txt': 'gone\n', 'old-name.txt': 'moved\n' };
const NEW = {
  'a.txt': 'A\n',
  'added.txt': 'added\n',
  'deep/new-name.txt': 'MOVED\n',
  'linked.txt': 'LINKED, and longer than before\n',
};

function makeTree(): TestProject {
  const project = createProject(Object.fromEntries(Object.entries(OLD).map(([name, text]) => [`tree/${name}`, text])));
  mkdirSync(project.path('twins'));
  linkSync(project.path('tree/linked.txt'), project.path('twins/linked.txt'));
  return project;
}

function treeOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    names.filter((name) => statSync(join(root, name)).isFile()).map((name) => [name, readFileSync(join(root, name), 'utf8')]),
  );
}

interface Outcome {
  readonly killAt: number;
  readonly isKilled: boolean;
  readonly tree: Record<string, string>;
  readonly twin: string;
  readonly journal: readonly string[];
}

/** Runs the change in a fresh tree, kills it before its nth step, and starts again. */
async function killBeforeStep(what: 'patch' | 'write', killAt: number): Promise<Outcome> {
  const project = makeTree();
  try {
    const args = [
      '--import',
      join(import.meta.dirname, 'kill-at-step.ts'),
      join(import.meta.dirname, 'change-tree.ts'),
      project.path('tree'),
      project.path('journal'),
      what,
    ];
    const child = spawn(process.execPath, args, { env: { KILL_AT_STEP: String(killAt) }, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
    if (signal === null) expect(stdout).toContain('false');
    await new WriteJournal(project.path('journal')).recover();
    const journal = readdirSync(project.root).includes('journal') ? readdirSync(project.path('journal')) : [];
    return {
      killAt,
      isKilled: signal === 'SIGKILL',
      tree: treeOf(project.path('tree')),
      twin: readFileSync(project.path('twins/linked.txt'), 'utf8'),
      journal,
    };
  } finally {
    project.remove();
  }
}

const AT_ONCE = 4;

async function killAtEveryStep(what: 'patch' | 'write'): Promise<readonly Outcome[]> {
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
