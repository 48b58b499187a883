import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redo, undo } from '../src/sessions/undo.ts';
import commands from './undo-commands.json' with { type: 'json' };
import { createUndoProject, fillWithEverything, picture, type UndoProject } from './undo-project.ts';

// One session runs them all, one after the other: each finds the tree as the undo of the one before has left it.
let project: UndoProject;
let before: Record<string, string>;

beforeAll(() => {
  project = createUndoProject();
  fillWithEverything(project);
  before = picture(project.root);
});
afterAll(() => project.close());

// Every second one in each run, and all in the long one.
const isLong = process.env['UNDO_COMMANDS'] === 'all';
const chosen = commands.filter((_command, i) => isLong || i % 2 === 0);

// The commands are written for GNU's tools.
describe.skipIf(process.platform !== 'linux')('what a command destroys comes back, and what it made goes', () => {
  test.each(chosen)('%s', async (command) => {
    const { journal, root } = project;
    const options = { log: journal.log, store: journal.contents, isDryRun: false };
    journal.startTurn();
    const answer = await project.bash(command);
    const after = picture(root);
    expect(after, answer.text).not.toEqual(before);
    const undone = await undo({ type: 'last' }, options);
    expect(undone?.paths.filter(({ result }) => result !== 'restored' && result !== 'uncovered')).toEqual([]);
    expect(withoutNewObjects(root)).toEqual(before);
    await redo(options);
    expect(withoutObjects(picture(root))).toEqual(withoutObjects(after));
    await undo({ type: 'last' }, options);
    expect(withoutNewObjects(root)).toEqual(before);
  });
});

function withoutObjects(seen: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(seen).filter(([path]) => !path.startsWith('./.git/objects/')));
}

/** What git has stored stays, since commits that were made later may need it. */
function withoutNewObjects(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(picture(root)).filter(([path]) => path in before || !path.startsWith('./.git/objects/')),
  );
}
