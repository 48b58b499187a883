import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../../../test/processes.ts';
import type { JobTable } from '../../core/ports.ts';
import { UNCONFINED } from '../../core/permission.ts';
import { noSandbox } from '../sandbox/sandbox.ts';
import { createJobTable } from './job-table.ts';
import { SpillStore } from '../files/spill.ts';

let folder: string;
let jobs: JobTable;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-jobs-'));
  const table = createJobTable({
    spills: new SpillStore(join(folder, 'spill')),
    environment: process.env,
    sandbox: async () => noSandbox('test'),
  });
  jobs = { ...table, start: (request) => table.start(request, UNCONFINED) };
});
afterEach(async () => {
  await jobs.endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads a job until it has written this. */
async function readUntil(id: string, wanted: string): Promise<string> {
  let text = '';
  while (!text.includes(wanted)) {
    await sleep(20);
    text += (await jobs.readNew(id))?.text ?? '';
  }
  return text;
}

async function ended(id: string): Promise<void> {
  while (jobs.list().find((job) => job.id === id)?.state === 'running') await sleep(20);
}

describe('background jobs', () => {
  test('an id comes back at once, and output is read piece by piece', async () => {
    const job = await jobs.start({ command: 'echo one; read -t 100 < <(sleep 100); echo never', cwd: folder });
    expect(job).toMatchObject({ id: 'job_1', state: 'running', exitCode: null });
    expect(await readUntil(job.id, 'one')).toBe('one\n');
    expect(await jobs.readNew(job.id)).toMatchObject({ text: '', job: { state: 'running' } });
  });

  test('a job that ends tells its exit code and keeps its last words', async () => {
    const job = await jobs.start({ command: 'echo bye; exit 3', cwd: folder });
    await ended(job.id);
    expect(await jobs.readNew(job.id)).toEqual({
      job: { id: 'job_1', command: job.command, state: 'exited', exitCode: 3 },
      text: 'bye\n',
    });
  });

  test('kill ends the whole tree', async () => {
    const job = await jobs.start({ command: 'sleep 300 & echo "pid $!"; wait', cwd: folder });
    const pid = Number(/pid (\d+)/.exec(await readUntil(job.id, '\n'))?.[1]);
    expect(isRunning(pid)).toBe(true);
    expect(await jobs.kill(job.id)).toMatchObject({ state: 'killed' });
    expect(isRunning(pid)).toBe(false);
  });

  test('endAll ends every job', async () => {
    await jobs.start({ command: 'sleep 300', cwd: folder });
    await jobs.start({ command: 'trap "" TERM; echo on; sleep 300', cwd: folder });
    await readUntil('job_2', 'on');
    await jobs.endAll();
    expect(jobs.list().map(({ state }) => state)).toEqual(['killed', 'killed']);
  });

  test('an unknown id is null, and a folder that is not there is told in the output', async () => {
    expect(await jobs.readNew('job_9')).toBeNull();
    expect(await jobs.kill('job_9')).toBeNull();
    const job = await jobs.start({ command: 'true', cwd: join(folder, 'none') });
    await ended(job.id);
    expect(await jobs.readNew(job.id)).toMatchObject({
      text: expect.stringContaining('could not be started'),
      job: { state: 'exited', exitCode: null },
    });
  });

  test('a flood waits in a file and not in memory', async () => {
    const job = await jobs.start({ command: 'yes flood | head -c 30000000', cwd: folder });
    await ended(job.id);
    const text = (await jobs.readNew(job.id))?.text ?? '';
    expect(text.length).toBeLessThan(10_500);
    expect(text).toMatch(/characters left out; all of it: \S+\/spill\/output-/);
  });
});
