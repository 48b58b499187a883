import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentStore } from '../../src/host/effects/content-store.ts';
import { redo, undo } from '../../src/sessions/undo.ts';
import { UndoLog } from '../../src/sessions/undo-log.ts';
import { createUndoProject, picture, type UndoProject } from '../undo-project.ts';

let project: UndoProject;

beforeEach(() => {
  project = createUndoProject();
});

afterEach(async () => {
  await project.close();
});

const KILLED = 'SIGKILL';
// Some steps in a usual run, every one in the long run.
const IS_LONG = process.env['KILL_STEPS'] === 'all';
const STRIDE = IS_LONG ? 1 : 12;

/** Runs it in a process of its own, which is killed right before its nth step. */
function runAndKill(verb: 'undo' | 'redo', killAt: number): NodeJS.Signals | null {
  const program = join(import.meta.dirname, 'undo-and-die.ts');
  const args = [program, project.logPath, project.contents, verb, String(killAt)];
  const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (signal === null) expect([status, stderr]).toEqual([0, '']);
  return signal;
}

/** A call in a prompt of its own. */
async function turn(command: string): Promise<void> {
  project.journal.startTurn();
  await project.bash(command);
}

/** Runs it to its end. */
async function run(verb: 'undo' | 'redo'): Promise<void> {
  const store = new ContentStore(project.contents);
  const options = { log: new UndoLog(project.logPath), store, isDryRun: false };
  await (verb === 'undo' ? undo({ type: 'last' }, options) : redo(options));
  store.close();
}

const FOLDERS = ['big', 'big/one', 'big/one/deep', 'big/two', 'kind'];
const FILES = ['big/a', 'big/one/b', 'big/one/deep/c', 'big/two/d', 'kind/of-folder', 'plain', 'twin'];

/** What stands there but for what the killed one had made and not put in place, which goes first. */
function withoutTemps(seen: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(seen).filter(([path]) => !path.includes('.wield-undo-')));
}

function fill(): void {
  for (const folder of FOLDERS) mkdirSync(join(project.root, folder), { mode: 0o755 });
  for (const name of FILES) project.write(name, `content of ${name}\n`);
  chmodSync(join(project.root, 'big/one/b'), 0o640);
  symlinkSync('a', join(project.root, 'big/link'));
  linkSync(join(project.root, 'twin'), join(project.root, 'other-twin'));
}

/** Removes a tree, makes of a folder a file and of a file a folder, and changes content and mode of a file with two names. */
const WRECK = 'rm -rf big kind; echo f > kind; rm plain; mkdir plain; echo f > plain/in; echo t > twin; chmod 600 twin';

test('an undo that is killed at any of its steps is finished by the next one, and a redo takes all of it back', async () => {
  fill();
  const before = picture(project.root);
  await project.bash(WRECK);
  const after = picture(project.root);
  let steps = 0;
  for (let killAt = 2; runAndKill('undo', killAt) === KILLED; killAt += STRIDE) {
    steps = killAt;
    await run('undo');
    expect(picture(project.root), `killed before step ${killAt}`).toEqual(before);
    await run('redo');
    expect(picture(project.root), `redone after a kill before step ${killAt}`).toEqual(after);
  }
  // Folders, files, a link, and their modes.
  expect(steps).toBeGreaterThan(25);
  expect(picture(project.root)).toEqual(before);
});

test('a redo that is killed is finished by the next one; two kills in a row are one', async () => {
  fill();
  const before = picture(project.root);
  await project.bash(WRECK);
  const after = picture(project.root);
  await run('undo');
  expect([runAndKill('redo', 9), runAndKill('redo', 2)]).toEqual([KILLED, KILLED]);
  await run('redo');
  expect(picture(project.root)).toEqual(after);
  expect(runAndKill('undo', 4)).toBe(KILLED);
  await run('redo');
  expect(picture(project.root)).toEqual(after);
  await run('undo');
  expect(picture(project.root)).toEqual(before);
});

test('a call after the kill is taken back by itself, and then the undo is finished; so with a redo', async () => {
  fill();
  const before = picture(project.root);
  await project.bash(WRECK);
  for (const killAt of IS_LONG ? Array.from({ length: 60 }, (_, index) => index + 1) : [14]) {
    if (runAndKill('undo', killAt) !== KILLED) break;
    const halfDone = withoutTemps(picture(project.root));
    await turn('echo z > later; mkdir -p big; echo z > big/later');
    await run('undo');
    expect(picture(project.root), `killed before step ${killAt}`).toEqual(halfDone);
    await run('undo');
    expect(picture(project.root), `killed before step ${killAt}`).toEqual(before);
    await run('redo');
  }
});

test('what somebody changed after the kill stays, and is a conflict still', async () => {
  fill();
  await project.bash('rm -rf big; ls');
  expect(runAndKill('undo', 8)).toBe(KILLED);
  const made = readdirSync(join(project.root, 'big'), { recursive: true, encoding: 'utf8' });
  const file = made.find((name) => statSync(join(project.root, 'big', name)).isFile()) ?? '';
  writeFileSync(join(project.root, 'big', file), 'mine\n');
  await run('undo');
  expect(picture(project.root)).toMatchObject({ [`./big/${file}`]: 'file 644 mine\n' });
  const last = new UndoLog(project.logPath).records().at(-1);
  expect(last).toMatchObject({ type: 'undo', isWhole: false });
  expect(existsSync(join(project.root, 'big/one/deep/c'))).toBe(true);
});

test('a shut folder that an undo had opened is shut again, and a large file that it had removed is kept', async () => {
  fill();
  await project.bash('rm big/one/b && truncate -s 11M big/one/large && chmod 500 big/one; ls');
  const shut = statSync(join(project.root, 'big/one')).mode & 0o777;
  expect(shut).toBe(0o500);
  expect(runAndKill('undo', 4)).toBe(KILLED);
  expect(existsSync(join(project.root, 'big/one/large'))).toBe(false);
  await run('undo');
  expect(statSync(join(project.root, 'big/one')).mode & 0o777).toBe(0o755);
  expect(existsSync(join(project.root, 'big/one/b'))).toBe(true);
  await run('redo');
  expect(statSync(join(project.root, 'big/one/large')).size).toBe(11 * 1024 * 1024);
  expect(statSync(join(project.root, 'big/one')).mode & 0o777).toBe(0o500);
});
