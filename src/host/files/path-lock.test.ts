import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shortHash } from '../../core/hash.ts';
import { PathBusy, PathLocks } from './path-lock.ts';
import { isRunning, ownProcess } from '../process/process-identity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-locks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockFile = (name: string): string => join(folder, `${shortHash(name)}.lock`);

/** Each adds one to a number in a file, again and again, and would lose some if two did so at once. */
const COUNT = `
const { PathLocks } = await import(${JSON.stringify(join(import.meta.dirname, 'path-lock.ts'))});
const { readFile, writeFile } = await import('node:fs/promises');
const [folder, counter, rounds, ends] = process.argv.slice(1);
for (let i = 0; i < Number(rounds); i++) {
  await new PathLocks(folder, { maxWaitMs: 60000 }).hold(['/a', '/b'], async () => {
    if (ends === 'killed') process.kill(process.pid, 'SIGKILL');
    await writeFile(counter, String(Number(await readFile(counter, 'utf8')) + 1));
  });
}`;

function count(rounds: number, ends: 'killed' | 'well'): Promise<unknown> {
  const args = ['--input-type=module', '-e', COUNT, folder, join(folder, 'counter'), String(rounds), ends];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return new Promise((resolve) => child.on('close', resolve));
}

test('processes come one after the other, also where locks were left by killed ones', { timeout: 60_000 }, async () => {
  writeFileSync(join(folder, 'counter'), '0');
  await count(1, 'killed');
  expect(readdirSync(folder).toSorted()).toEqual(
    ['counter', ...[lockFile('/a'), lockFile('/b')].map((path) => path.slice(folder.length + 1))].toSorted(),
  );
  await Promise.all([count(40, 'well'), count(40, 'well'), count(1, 'killed'), count(40, 'well'), count(40, 'well')]);
  expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('160');
});

test('a lock that was left while another was taken over is taken over too', async () => {
  const dead = '999999999:1';
  symlinkSync(dead, lockFile('/a'));
  symlinkSync(dead, `${lockFile('/a')}.lock`);
  let runs = 0;
  const once = (): Promise<void> => new PathLocks(folder).hold(['/a'], async () => void runs++);
  await Promise.all(Array.from({ length: 8 }, once));
  expect([runs, readdirSync(folder)]).toEqual([8, []]);
});

test('the number of a process that ended may be that of another by now', async () => {
  symlinkSync(`${process.pid}:1`, lockFile('/a'));
  await new PathLocks(folder, { maxWaitMs: 50 }).hold(['/a'], async () => undefined);
  expect(readdirSync(folder)).toEqual([]);
});

test('one that a running process holds is waited for, and then it is an error', async () => {
  const locks = new PathLocks(folder, { maxWaitMs: 50 });
  await locks.hold(['/b'], async () => {
    await expect(locks.hold(['/a', '/b'], async () => undefined)).rejects.toThrow(PathBusy);
    await locks.removeDead(lockFile('/b').slice(folder.length + 1));
    await expect(locks.hold(['/b'], async () => undefined)).rejects.toThrow(PathBusy);
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('it is released after an error, and a name that comes twice is locked once', async () => {
  const locks = new PathLocks(folder);
  const failing = locks.hold(['/a', '/a', '/b'], () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('where the folder takes none, it goes on without', async () => {
  expect(await new PathLocks(join(folder, 'none')).hold(['/a'], async () => 'ran')).toBe('ran');
});

test('a process is known by its number and its start', () => {
  expect(isRunning(ownProcess())).toBe(true);
  expect([0, -1, 1.5, Number.NaN].map((pid) => isRunning({ pid, startTime: null }))).toEqual([false, false, false, false]);
  expect(isRunning({ pid: process.pid, startTime: null })).toBe(true);
});
