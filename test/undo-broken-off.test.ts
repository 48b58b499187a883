import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderUndo } from '../src/app/undo/undo-text.ts';
import { ContentStore } from '../src/host/effects/content-store.ts';
import { tempBeside } from '../src/host/effects/restore-temp.ts';
import { redo, undo, type UndoOutcome } from '../src/sessions/undo.ts';
import { UndoLog } from '../src/sessions/undo-log.ts';
import type { UndoChoice } from '../src/sessions/undo-plan.ts';
import { createUndoProject, picture, type UndoProject } from './undo-project.ts';

let project: UndoProject;

beforeEach(() => {
  project = createUndoProject({ sandbox: 'danger-full-access' });
});
afterEach(() => project.close());

const inRoot = (path: string): string => join(project.root, path);

/** Each call in the same prompt. */
async function turn(...commands: readonly string[]): Promise<void> {
  project.journal.startTurn();
  for (const command of commands) expect(await project.bash(command)).toMatchObject({ isError: false });
}

async function run(verb: UndoChoice | 'redo', isDryRun = false): Promise<UndoOutcome | null> {
  const store = new ContentStore(project.contents);
  const options = { log: new UndoLog(project.logPath), store, isDryRun };
  try {
    return await (verb === 'redo' ? redo(options) : undo(verb, options));
  } finally {
    store.close();
  }
}

/** As it is after a kill right before the end was put on record. What was still to be done then, a test takes away again. */
async function breakOff(verb: UndoChoice | 'redo'): Promise<void> {
  await run(verb);
  const lines = readFileSync(project.logPath, 'utf8').trimEnd().split('\n');
  expect(lines.at(-2)).toContain('"begun"');
  writeFileSync(project.logPath, `${lines.slice(0, -1).join('\n')}\n`);
}

const LAST: UndoChoice = { type: 'last' };

/** What became of each path, by its name in the project. */
function resultsOf(outcome: UndoOutcome | null): Record<string, string> {
  return Object.fromEntries((outcome?.paths ?? []).map(({ path, result }) => [path.slice(project.root.length + 1), result]));
}

test('a choice does what it says and no more: another call, another turn, one that is not there, and dry runs of them', async () => {
  for (const name of ['one', 'two', 'three']) project.write(name, 'before\n');
  await turn('echo after > one');
  await turn('echo after > two', 'echo after > three');
  const after = picture(project.root);
  await breakOff({ type: 'turn', turn: 2 });
  writeFileSync(inRoot('two'), 'after\n');
  writeFileSync(inRoot('three'), 'after\n');

  expect(await run({ type: 'turn', turn: 7 })).toBeNull();
  expect(resultsOf(await run({ type: 'turn', turn: 1 }, true))).toEqual({ one: 'restored' });
  expect(resultsOf(await run({ type: 'call', toolUseId: 'call_3' }, true))).toEqual({ three: 'restored' });
  expect(resultsOf(await run(LAST, true))).toEqual({ two: 'restored', three: 'restored' });
  expect(picture(project.root)).toEqual(after);

  expect(resultsOf(await run({ type: 'call', toolUseId: 'call_3' }))).toEqual({ three: 'restored' });
  const other = await run({ type: 'turn', turn: 1 });
  expect(picture(project.root)).toEqual({ ...after, './one': 'file 644 before\n', './three': 'file 644 before\n' });
  expect(other === null ? [] : renderUndo(other, project.root).at(-1)).toBe(
    'Broken off before and still to be finished: the undo of turn 2 (wield undo --turn 2).',
  );
  expect(await run(LAST)).toMatchObject({ unfinished: [] });
  expect(readFileSync(inRoot('two'), 'utf8')).toBe('before\n');
  for (const _ of ['two', 'one', 'three']) await run('redo');
  expect(picture(project.root)).toEqual(after);
});

test('a turn below one whose undo was broken off leaves what that still has to take back', async () => {
  for (const name of ['done', 'open']) project.write(name, 'before\n');
  const before = picture(project.root);
  await turn('echo one > done; echo one > open');
  await turn('echo two > done; echo two > open');
  await breakOff(LAST);
  writeFileSync(inRoot('open'), 'two\n');
  expect(resultsOf(await run({ type: 'turn', turn: 1 }))).toEqual({ done: 'restored', open: 'conflict' });
  expect(resultsOf(await run({ type: 'to', turn: 0 }))).toEqual({ done: 'same', open: 'restored' });
  expect(picture(project.root)).toEqual(before);
});

test('what a later call of the same turn made of a path that was half done is taken back with the rest', async () => {
  mkdirSync(inRoot('kept'), { mode: 0o750 });
  project.write('kept/a', 'a\n');
  const before = picture(project.root);
  await turn('rm -rf kept');
  await breakOff(LAST);
  chmodSync(inRoot('kept'), 0o700);
  rmSync(inRoot('kept/a'));
  expect(await project.bash('chmod 755 kept; echo other > kept/a')).toMatchObject({ isError: false });
  expect(resultsOf(await run(LAST))).toEqual({ kept: 'restored', 'kept/a': 'restored' });
  expect(picture(project.root)).toEqual(before);
});

test('a redo that was broken off is finished before what it does again is undone, and a dry run tells it', async () => {
  project.write('a', 'before\n');
  project.write('b', 'before\n');
  const before = picture(project.root);
  await turn('echo after > a; echo after > b');
  await run(LAST);
  await breakOff('redo');
  writeFileSync(inRoot('b'), 'before\n');
  expect(resultsOf(await run(LAST, true))).toEqual({ a: 'restored', b: 'same' });
  expect(resultsOf(await run('redo', true))).toEqual({ a: 'same', b: 'restored' });
  await run(LAST);
  expect(picture(project.root)).toEqual(before);
});

test('a dry run of a redo looks past an undo that was broken off', async () => {
  project.write('a', 'before\n');
  project.write('b', 'before\n');
  await turn('echo after > a; echo after > b');
  const after = picture(project.root);
  await breakOff(LAST);
  writeFileSync(inRoot('b'), 'after\n');
  expect(await run('redo', true)).toMatchObject({ type: 'redo', unfinished: [] });
  expect(resultsOf(await run('redo', true))).toEqual({ a: 'restored', b: 'same' });
  await run('redo');
  expect(picture(project.root)).toEqual(after);
});

test('a file of two names that was being written when it was killed is written again; of one name it is somebody’s work', async () => {
  const [old, young] = ['old '.repeat(9), 'young '.repeat(4)];
  for (const name of ['a', 'alone']) project.write(name, old);
  linkSync(inRoot('a'), inRoot('b'));
  const before = picture(project.root);
  await turn(`printf '${young}' > a; chmod 600 a; printf '${young}' > alone`);
  for (const torn of [old.slice(0, 5) + young.slice(5) + old.slice(young.length), old]) {
    await breakOff(LAST);
    writeFileSync(inRoot('a'), torn);
    chmodSync(inRoot('a'), 0o600);
    expect(resultsOf(await run(LAST))).toEqual({ a: 'restored', b: 'restored', alone: 'same' });
    expect(picture(project.root)).toEqual(before);
    await run('redo');
  }
  await breakOff(LAST);
  writeFileSync(inRoot('alone'), old.slice(0, 5) + young.slice(5) + old.slice(young.length));
  expect(resultsOf(await run(LAST))).toMatchObject({ alone: 'conflict' });
});

test('a path that changes its kind may be absent, and what was in a folder that became a file counts as removed', async () => {
  project.write('file', 'content\n');
  mkdirSync(inRoot('folder'), { mode: 0o755 });
  project.write('folder/in', 'content\n');
  const before = picture(project.root);
  await turn('rm file; mkdir file; echo x > file/in; rm -r folder; echo x > folder');
  const after = picture(project.root);
  await breakOff(LAST);
  rmSync(inRoot('folder'), { recursive: true });
  expect(resultsOf(await run(LAST))).toEqual({ file: 'same', 'file/in': 'same', folder: 'restored', 'folder/in': 'restored' });
  expect(picture(project.root)).toEqual(before);
  await run('redo');
  expect(picture(project.root)).toEqual(after);
});

test('a large file that a call made and that was still to go is no conflict', async () => {
  await turn('truncate -s 11M made; truncate -s 11M other');
  const [made, other] = [statSync(inRoot('made')), statSync(inRoot('other'))].map(({ size }) => size);
  await breakOff(LAST);
  writeFileSync(inRoot('other'), '');
  truncateSync(inRoot('other'), other);
  expect(resultsOf(await run(LAST))).toEqual({ made: 'same', other: 'restored' });
  await run('redo');
  expect([statSync(inRoot('made')).size, statSync(inRoot('other')).size]).toEqual([made, other]);
});

test('only what a killed one had made itself is removed: no folder or file of such a name, and nothing through a link', async () => {
  const outside = mkdtempSync(join(dirname(project.root), 'outside-'));
  for (const folder of ['big', 'away']) {
    mkdirSync(inRoot(folder), { mode: 0o755 });
    project.write(`${folder}/a`, 'a\n');
    project.write(`${folder}/b`, 'b\n');
  }
  await turn('rm -rf big away');
  await breakOff(LAST);
  const mine = ['.wield-undo-abc', '.wield-undo-0123456789abcdef'];
  for (const name of mine) writeFileSync(inRoot(`big/${name}`), 'mine\n');
  rmSync(inRoot('big/a'));
  writeFileSync(tempBeside(inRoot('big/a')), 'half wri');
  mkdirSync(tempBeside(inRoot('big/b')));
  renameSync(inRoot('away'), inRoot('moved'));
  symlinkSync(outside, inRoot('away'));
  writeFileSync(join(outside, '.wield-undo-abc'), 'mine\n');
  const other = basename(tempBeside(join(outside, 'a')));
  const same = basename(tempBeside(inRoot('away/a')));
  for (const name of [other, same]) writeFileSync(join(outside, name), 'mine\n');

  expect(resultsOf(await run(LAST))).toMatchObject({ 'big/a': 'restored', 'big/b': 'same', away: 'conflict' });
  expect(readdirSync(inRoot('big')).toSorted()).toEqual([...mine, basename(tempBeside(inRoot('big/b'))), 'a', 'b'].toSorted());
  expect(readdirSync(outside).toSorted()).toEqual(['.wield-undo-abc', other, same].toSorted());
  expect(existsSync(join(outside, 'a'))).toBe(false);
});
