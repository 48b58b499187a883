import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { redo, undo, type UndoOutcome } from '../src/sessions/undo.ts';
import type { UndoChoice } from '../src/sessions/undo-plan.ts';
import { createUndoProject, picture, type UndoProject } from './undo-project.ts';

let project: UndoProject;

beforeEach(() => {
  project = createUndoProject({ sandbox: 'danger-full-access' });
});
afterEach(() => project.close());

const inRoot = (path: string): string => join(project.root, path);
const read = (path: string): string => readFileSync(inRoot(path), 'utf8');

function options(isDryRun = false): Parameters<typeof redo>[0] {
  return { log: project.journal.log, store: project.journal.contents, isDryRun };
}

function undoIt(choice: UndoChoice = { type: 'last' }, isDryRun = false): Promise<UndoOutcome | null> {
  return undo(choice, options(isDryRun));
}

/** What became of each path, by its name in the project. */
function resultsOf(outcome: UndoOutcome | null): Record<string, string> {
  return Object.fromEntries((outcome?.paths ?? []).map(({ path, result }) => [path.slice(project.root.length + 1), result]));
}

async function turn(...calls: readonly (readonly [name: string, input: unknown])[]): Promise<void> {
  project.journal.startTurn();
  for (const [name, input] of calls) {
    const answer = await project.call(name, input);
    expect(answer.isError, answer.text).toBe(false);
  }
}

const bash = (command: string): readonly [string, unknown] => ['Bash', { command }];

describe('file tools', () => {
  test('what they wrote and the folders they made go, what they changed comes back', async () => {
    project.write('a.txt', 'one\n');
    const before = picture(project.root);
    await turn(
      ['WriteFile', { path: inRoot('new/deep/b.txt'), content: 'b\n' }],
      ['EditFile', { path: inRoot('a.txt'), old_string: 'one', new_string: 'two' }],
      ['EditFile', { path: inRoot('a.txt'), old_string: 'two', new_string: 'three' }],
    );
    expect(read('a.txt')).toBe('three\n');
    expect(resultsOf(await undoIt())).toEqual({
      'a.txt': 'restored',
      'new': 'restored',
      'new/deep': 'restored',
      'new/deep/b.txt': 'restored',
    });
    expect(picture(project.root)).toEqual(before);
  });

  test('one that cannot be kept is named before it is written', async () => {
    project.write('large.txt', 'start\n');
    truncateSync(inRoot('large.txt'), 11 * 1024 * 1024);
    const { toldBefore } = await project.call('WriteFile', { path: inRoot('large.txt'), content: 'small\n' });
    expect(toldBefore).toEqual(['This cannot be undone: files over 10 MB (large.txt).']);
  });
});

describe('a conflict', () => {
  test('stays as it is and is told, and the rest is undone', async () => {
    project.write('a', 'a\n');
    project.write('b', 'b\n');
    project.write('c', 'c\n');
    await turn(bash('echo new > a; rm b c'));
    writeFileSync(inRoot('a'), 'by the person\n');
    writeFileSync(inRoot('c'), 'made by the person\n');
    expect(resultsOf(await undoIt())).toEqual({ a: 'conflict', b: 'restored', c: 'conflict' });
    expect([read('a'), read('b'), read('c')]).toEqual(['by the person\n', 'b\n', 'made by the person\n']);
  });

  test('can be undone when it is out of the way', async () => {
    project.write('a', 'a\n');
    await turn(bash('echo new > a'));
    writeFileSync(inRoot('a'), 'by the person\n');
    await undoIt();
    writeFileSync(inRoot('a'), 'new\n');
    expect(resultsOf(await undoIt())).toEqual({ a: 'restored' });
    expect(read('a')).toBe('a\n');
  });

  test('a folder in which something was made stays with it', async () => {
    await turn(bash('mkdir made && echo x > made/theirs'));
    project.write('made/mine', 'mine\n');
    expect(resultsOf(await undoIt())).toEqual({ made: 'conflict', 'made/theirs': 'restored' });
    expect(picture(project.root)).toMatchObject({ './made/mine': expect.stringContaining('mine') });
  });

  test('what a person changed between two calls of a turn is not undone', async () => {
    project.write('a', 'a\n');
    await turn(bash('echo one >> a'));
    writeFileSync(inRoot('a'), 'by the person\n');
    const { text } = await project.bash('echo two >> a');
    expect(text).toContain('<exit_code>0');
    expect(resultsOf(await undoIt())).toEqual({ a: 'conflict' });
    expect(read('a')).toBe('by the person\ntwo\n');
  });

  test('nothing is written through a link that came to stand in the way', async () => {
    project.write('folder/a', 'a\n');
    mkdirSync(join(project.state, 'elsewhere'));
    await turn(bash('rm folder/a'));
    rmSync(inRoot('folder'), { recursive: true });
    symlinkSync(join(project.state, 'elsewhere'), inRoot('folder'));
    expect(resultsOf(await undoIt())).toEqual({ 'folder/a': 'conflict' });
    expect(existsSync(join(project.state, 'elsewhere/a'))).toBe(false);
  });
});

describe('what is chosen', () => {
  beforeEach(async () => {
    project.write('a', '0\n');
    await turn(bash('echo 1 > a'), bash('echo 1 > only-1'));
    await turn(bash('echo 2 > a'));
    await turn(['ReadFile', { path: inRoot('a') }], bash('ls'));
  });

  test('the last turn is the last that changed something, and then the one before', async () => {
    await undoIt();
    expect(read('a')).toBe('1\n');
    await undoIt();
    expect(read('a')).toBe('0\n');
    expect(await undoIt()).toBeNull();
  });

  test('to a point', async () => {
    await undoIt({ type: 'to', turn: 0 });
    expect(picture(project.root)).toEqual({ '.': 'folder 755', './a': 'file 644 0\n' });
  });

  test('one call, and a turn below a later one only where that did not touch the same', async () => {
    expect(resultsOf(await undoIt({ type: 'turn', turn: 1 }))).toEqual({ a: 'conflict', 'only-1': 'restored' });
    expect(resultsOf(await undoIt({ type: 'call', toolUseId: 'call_3' }))).toEqual({ a: 'restored' });
    expect(read('a')).toBe('1\n');
  });

  test('a dry run says the same and changes nothing', async () => {
    expect(resultsOf(await undoIt({ type: 'last' }, true))).toEqual({ a: 'restored' });
    expect(read('a')).toBe('2\n');
    expect(resultsOf(await undoIt())).toEqual({ a: 'restored' });
  });

  test('redo does each undo again, the last first', async () => {
    await undoIt();
    await undoIt();
    await redo(options());
    expect(read('a')).toBe('1\n');
    await redo(options());
    expect(read('a')).toBe('2\n');
    expect(await redo(options())).toBeNull();
    await undoIt();
    expect(read('a')).toBe('1\n');
  });
});

describe('what is not covered', () => {
  test('is named before the first command runs, and left alone', async () => {
    project.write('node_modules/dep/index.js', 'dep\n');
    project.write('big', '');
    truncateSync(inRoot('big'), 11 * 1024 * 1024);
    project.write('a', 'a\n');
    const { toldBefore } = await project.bash('rm -rf node_modules big a; mkdir .venv; echo x > .venv/x');
    expect(toldBefore).toEqual([
      'Not covered by undo: dependency and cache folders (node_modules); files over 10 MB (big); anything outside of this folder.',
    ]);
    expect(resultsOf(await undoIt())).toEqual({
      '.venv': 'uncovered',
      a: 'restored',
      big: 'uncovered',
      node_modules: 'uncovered',
    });
    expect((await project.bash('touch a')).toldBefore).toEqual([]);
  });

  test('a large file that a command made goes, a redo has it, and it goes again', async () => {
    project.write('grown', 'small\n');
    await turn(bash('truncate -s 11M made; truncate -s 12M grown'));
    expect(resultsOf(await undoIt())).toEqual({ grown: 'restored', made: 'restored' });
    expect([existsSync(inRoot('made')), read('grown')]).toEqual([false, 'small\n']);
    await redo(options());
    expect(['made', 'grown'].map((name) => lstatSync(inRoot(name)).size / 1024 ** 2)).toEqual([11, 12]);
    expect(resultsOf(await undoIt())).toEqual({ grown: 'restored', made: 'restored' });
    expect([existsSync(inRoot('made')), read('grown')]).toEqual([false, 'small\n']);
  });
});

describe('the session', () => {
  test('what a background command does is on record as its own', async () => {
    project.write('a', 'a\n');
    await turn(['Bash', { command: 'sleep 0.2; rm a', run_in_background: true }]);
    while (existsSync(inRoot('a'))) await sleep(20);
    await project.bash('true > b');
    expect(project.journal.log.records()).toMatchObject([
      { by: 'in the background: sleep 0.2; rm a', toolUseId: null, changes: [{ path: inRoot('a'), after: null }] },
      { by: 'Bash true > b' },
    ]);
    await undoIt({ type: 'to', turn: 0 });
    expect(read('a')).toBe('a\n');
  });

  test('an undo while a background command runs is not taken for its work', async () => {
    project.write('a', 'a\n');
    await turn(['Bash', { command: 'sleep 5', run_in_background: true }], bash('rm a'));
    await project.journal.aside(() => undoIt());
    await turn(bash('touch b'));
    expect(project.journal.log.records().map(({ type }) => type)).toEqual(['effect', 'begun', 'undo', 'effect']);
    expect(read('a')).toBe('a\n');
  });

  test('what a person does between calls is nobody’s effect', async () => {
    project.write('a', 'a\n');
    await turn(bash('touch first'));
    project.write('mine', 'mine\n');
    rmSync(inRoot('a'));
    await turn(bash('touch second'));
    expect(resultsOf(await undoIt({ type: 'to', turn: 0 }))).toEqual({ first: 'restored', second: 'restored' });
    expect(picture(project.root)).toEqual({ '.': 'folder 755', './mine': 'file 644 mine\n' });
  });

  test('keeps its records and contents to the user alone', async () => {
    project.write('a', 'secret\n');
    await turn(bash('rm a'));
    const modes = Object.entries(picture(project.state)).map(([path, shown]) => `${path} ${/^\w+ \d+/.exec(shown)?.[0]}`);
    const open = modes.filter((mode) => !/ (?:file 600|folder 700)$/.test(mode) && !/^\. |^\.\/effects folder/.test(mode));
    expect(open.filter((mode) => mode.includes('effects'))).toEqual([]);
  });

  test('a folder that was shut is opened for what comes back, and shut again', async () => {
    project.write('shut/a', 'a\n');
    chmodSync(inRoot('shut'), 0o500);
    const before = picture(project.root);
    await turn(bash('chmod 700 shut && rm -rf shut'));
    await undoIt();
    expect(picture(project.root)).toEqual(before);
  });
});
