import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import type { TestProject } from '../agent-harness.ts';
import { journalOf, makeTree, NEW, OLD, runAndKill, type TreeChange, treeOf } from '../crash/killed-change.ts';

const TIMEOUT_MS = 240_000;

/** What a start does: a first look at the folder waits until all is settled. */
async function startAgain(project: TestProject): Promise<void> {
  await createLocalFiles({ tracksSeen: false, journalFolder: project.path('journal') }).list(project.path('tree'));
}

const AT_ONCE = 4;

/** Kills a change before each of its steps, or each second and so on, each time in a fresh tree; `look` sees what is left. */
async function atEveryStep(
  what: TreeChange,
  stride: number,
  look: (project: TestProject, killAt: number) => Promise<void>,
): Promise<number> {
  let looks = 0;
  let isEnded = false;
  const walk = async (first: number): Promise<void> => {
    for (let killAt = first; !isEnded; killAt += stride * AT_ONCE) {
      const project = makeTree();
      try {
        if ((await runAndKill(project, what, killAt)).isKilled) await look(project, killAt).then(() => looks++);
        else isEnded = true;
      } finally {
        project.remove();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => walk(1 + i * stride)));
  return looks;
}

describe('what a person writes after a kill', () => {
  test('stays, in a file with two names, at whatever step the kill came', { timeout: TIMEOUT_MS }, async () => {
    const steps = await atEveryStep('write of a linked file', 1, async (project, killAt) => {
      writeFileSync(project.path('tree/linked.txt'), 'work of a person\n');
      await startAgain(project);
      const expected = { ...OLD, 'linked.txt': 'work of a person\n' };
      expect(treeOf(project.path('tree')), `killed before step ${killAt}`).toEqual(expected);
      expect(readFileSync(project.path('twins/linked.txt'), 'utf8')).toBe('work of a person\n');
      expect(journalOf(project)).toEqual([]);
    });
    expect(steps).toBeGreaterThan(12);
  });

  test('stays, in every file of a patch, and what was deleted and is back stays too', { timeout: TIMEOUT_MS }, async () => {
    const steps = await atEveryStep('patch', 2, async (project, killAt) => {
      const names = ['a.txt', 'linked.txt', 'old-name.txt', 'added.txt'];
      for (const name of names) writeFileSync(project.path(`tree/${name}`), `a person wrote ${name}\n`);
      // With its old content, as from version control.
      const isDeleted = !readdirSync(project.path('tree')).includes('gone.txt');
      if (isDeleted) writeFileSync(project.path('tree/gone.txt'), OLD['gone.txt']);
      await startAgain(project);
      const { 'deep/new-name.txt': _moved, ...tree } = treeOf(project.path('tree'));
      const expected = Object.fromEntries([...names.map((name) => [name, `a person wrote ${name}\n`]), ['gone.txt', 'gone\n']]);
      expect(tree, `killed before step ${killAt}`).toEqual(expected);
      expect(journalOf(project)).toEqual([]);
    });
    expect(steps).toBeGreaterThan(30);
  });
});

/** Steps of the patch: before its locks, and in the middle of a file that is written in place. Every step of recovery after every step takes an hour. */
const CHANGE_STEPS = [20, 55];

describe('recovery that is killed at any of its steps', () => {
  test.each(CHANGE_STEPS)(
    'is done by the next start, after a patch that was killed before step %i',
    { timeout: TIMEOUT_MS },
    async (changeKillAt) => {
      const kinds = new Set<string>();
      let isEnded = false;
      const walk = async (first: number): Promise<void> => {
        for (let killAt = first; !isEnded; killAt += AT_ONCE) {
          const project = makeTree();
          expect((await runAndKill(project, 'patch', changeKillAt)).isKilled).toBe(true);
          if (!(await runAndKill(project, 'recovery', killAt)).isKilled) isEnded = true;
          await startAgain(project);
          const tree = treeOf(project.path('tree'));
          kinds.add('added.txt' in tree ? 'new' : 'old');
          expect(tree, `recovery was killed before step ${killAt}`).toEqual('added.txt' in tree ? NEW : OLD);
          expect(readFileSync(project.path('twins/linked.txt'), 'utf8')).toBe(tree['linked.txt']);
          expect(journalOf(project)).toEqual([]);
          project.remove();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => walk(1 + i)));
      expect(kinds).toEqual(new Set([changeKillAt === CHANGE_STEPS[0] ? 'old' : 'new']));
    },
  );
});
