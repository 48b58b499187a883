import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WriteJournal } from '../../src/host/files/write-journal.ts';
import { journalOf, makeTree, NEW, OLD, runChange, treeOf } from '../crash/killed-change.ts';

const TIMEOUT_MS = 180_000;

/** Left beside a target. */
const isBeside = (name: string): boolean => name.includes('.wield-');

test.each([
  ['write of a linked file', { ...OLD, 'linked.txt': NEW['linked.txt'] }],
  ['patch', NEW],
] as const)(
  '%s: where the disk fills at any write and stays full, all is old, now or at the next start, and the answer says which',
  {
    timeout: TIMEOUT_MS,
  },
  async (what, after) => {
    const ends = new Set<string>();
    for (let failFrom = 1; !ends.has('new'); failFrom++) {
      const project = makeTree();
      const { stdout } = await runChange(project, what, {
        preload: 'fail-writes.ts',
        env: { FAIL_WRITES_FROM: String(failFrom) },
      });
      const tree = treeOf(project.path('tree'));
      const backup = /it is kept in (\S+\.old), and the next start tries again/.exec(stdout)?.[1];
      if (stdout.startsWith('false')) {
        ends.add('new');
        expect(tree).toEqual(after);
      } else if (backup === undefined) {
        ends.add('old');
        expect([tree, journalOf(project)], `full from write ${failFrom}: ${stdout}`).toEqual([OLD, []]);
      } else {
        ends.add('half');
        expect(readFileSync(backup, 'utf8')).toBe(OLD['linked.txt']);
        expect(journalOf(project)).toHaveLength(1);
        await new WriteJournal(project.path('journal')).recover();
        expect([treeOf(project.path('tree')), journalOf(project)], `full from write ${failFrom}`).toEqual([OLD, []]);
      }
      expect(readFileSync(project.path('twins/linked.txt'), 'utf8')).toBe(treeOf(project.path('tree'))['linked.txt']);
      expect(Object.keys(treeOf(project.path('tree'))).filter(isBeside)).toEqual([]);
      project.remove();
    }
    expect(ends).toEqual(new Set(['old', 'half', 'new']));
  },
);
