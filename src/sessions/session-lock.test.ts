import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdSession, releaseSession } from './session-lock.ts';
import { openSessionLog } from './session-log.ts';

const MODULE = join(import.meta.dirname, 'session-lock.ts');
let root: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-lock-'));
  path = join(root, 's.jsonl');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  releaseSession(path);
  rmSync(root, { recursive: true, force: true });
});

/** A process that has taken the session. It ends by itself where `end` says so. */
async function holder(end = 'setInterval(() => {}, 1000);'): Promise<ChildProcess> {
  const code = `const { holdSession } = await import(${JSON.stringify(MODULE)}); holdSession(${JSON.stringify(path)}); console.log('held'); ${end}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('a session that another process holds is refused, with who holds it and what to do', async () => {
  const { pid } = await holder();
  expect(() => holdSession(path)).toThrow(
    expect.objectContaining({
      code: 'session_write_failed',
      message: `The session s is in use by process ${pid} (${path}.lock).`,
      remedy: expect.stringContaining('start a new session'),
    }),
  );
});

test('a log does not write to a session that another process holds', async () => {
  await holder();
  const log = openSessionLog(path, { type: 'session', version: 1, id: 's', cwd: '/', model: 'm', createdAt: 'now' });
  await expect(log.started({ type: 'tool_use', id: 'a', wireId: null, name: 'N', input: {} })).rejects.toMatchObject({
    code: 'session_write_failed',
    message: expect.stringContaining('is in use by process'),
  });
  expect(existsSync(path)).toBe(false);
});

test('a holder that was killed does not block the next one', async () => {
  const child = await holder();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(`${path}.lock`)).toBe(true);
  holdSession(path);
  expect(readdirSync(root)).toEqual(['s.jsonl.lock']);
});

test('a process that ends gives its session back', async () => {
  const child = await holder('process.exit(0);');
  if (child.exitCode === null) await once(child, 'exit');
  expect(readdirSync(root)).toEqual([]);
});

test('a later process with the number of the holder is not the holder', () => {
  if (process.platform !== 'linux') return;
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.ppid, startedAt: '1' }));
  expect(() => holdSession(path)).not.toThrow();
});

test('a lock that was left half written is taken over after a while', () => {
  writeFileSync(`${path}.lock`, '');
  expect(() => holdSession(path)).toThrow('in use');
  utimesSync(`${path}.lock`, 0, 0);
  expect(() => holdSession(path)).not.toThrow();
});

test('a process may take its session again, and a folder that is not there holds nothing up', () => {
  holdSession(path);
  holdSession(path);
  releaseSession(path);
  expect(readdirSync(root)).toEqual([]);
  expect(() => holdSession(join(root, 'none', 's.jsonl'))).not.toThrow();
});
