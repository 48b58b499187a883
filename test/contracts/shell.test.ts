import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UNCONFINED } from '../../src/core/permission.ts';
import type { Backend, JobTable, ShellOutcome } from '../../src/index.ts';
import { BACKENDS, type OpenedBackend } from './open-backends.ts';

const names = ['this machine', 'memory'] as const;

describe.each(names)('the shell of %s', (name) => {
  let opened: OpenedBackend;
  let backend: Backend;
  beforeEach(async () => {
    opened = (await BACKENDS[name]?.()) as OpenedBackend;
    ({ backend } = opened);
  });
  afterEach(() => opened.close());

  const run = async (
    command: string,
    options: { signal?: AbortSignal; timeoutMs?: number; onOutput?(text: string): void } = {},
  ) => {
    const request = { cwd: backend.cwd, timeoutMs: 20_000, signal: new AbortController().signal, ...options, command };
    return (await backend.shell?.run(request, UNCONFINED)) as ShellOutcome;
  };

  test('a command gives its output and its exit code', async () => {
    const seen: string[] = [];
    expect(await run('echo hello; exit 3', { onOutput: (text) => void seen.push(text) })).toMatchObject({
      output: 'hello\n',
      omittedChars: 0,
      outputPath: null,
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      ended: [],
      survivors: [],
      denials: [],
    });
    expect(seen.join('')).toBe('hello\n');
  });

  test('both streams come in order', async () => {
    expect((await run('echo one; echo two >&2; echo three')).output).toBe('one\ntwo\nthree\n');
  });

  test('it works on the files of its backend', async () => {
    await backend.files.replace(join(backend.cwd, 'a.txt'), new TextEncoder().encode('alpha\n'), 'absent');
    expect(await run('cat a.txt')).toMatchObject({ output: 'alpha\n', exitCode: 0 });
  });

  test('what is no command fails and says so', async () => {
    const { output, exitCode } = await run('nosuchthing');
    expect(output).toContain('nosuchthing: command not found');
    expect(exitCode).not.toBe(0);
  });

  test('a deadline and an interrupt end it, and what it wrote until then is there', async () => {
    expect(await run('echo begun; sleep 60', { timeoutMs: 300 })).toMatchObject({
      output: 'begun\n',
      timedOut: true,
      aborted: false,
    });
    const stop = new AbortController();
    const onOutput = (): void => stop.abort();
    expect(await run('echo begun; sleep 60', { signal: stop.signal, onOutput })).toMatchObject({
      output: 'begun\n',
      timedOut: false,
      aborted: true,
    });
  });

  test('of a flood the head and the tail are shown, and all of it is in a file', async () => {
    const { output, omittedChars, outputPath } = await run('seq 1 20000');
    expect(output.startsWith('1\n2\n')).toBe(true);
    expect(output.endsWith('\n19999\n20000\n')).toBe(true);
    expect([output.length < 10_200, omittedChars]).toEqual([true, 98_894]);
    const whole = Buffer.from(await backend.files.read(outputPath ?? '')).toString('utf8');
    expect(whole).toBe(`${Array.from({ length: 20_000 }, (_, i) => i + 1).join('\n')}\n`);
  });

  test('a job runs beside, is read as it goes, and ends when it is told to', async () => {
    const jobs = backend.jobs as unknown as JobTable & Backend['jobs'];
    const job = await jobs.start({ command: 'echo begun; sleep 60', cwd: backend.cwd }, UNCONFINED);
    expect(job).toEqual({ id: 'job_1', command: 'echo begun; sleep 60', state: 'running', exitCode: null });
    await expect.poll(async () => (await jobs.readNew('job_1'))?.text).toBe('begun\n');
    expect(await jobs.readNew('job_1')).toEqual({ job, text: '' });
    expect(await jobs.kill('job_1')).toMatchObject({ state: 'killed' });
    expect([await jobs.readNew('job_2'), await jobs.kill('job_2'), jobs.list().length]).toEqual([null, null, 1]);
  });

  test('a job that ends by itself says how', async () => {
    const jobs = backend.jobs as NonNullable<Backend['jobs']>;
    await jobs.start({ command: 'exit 4', cwd: backend.cwd }, UNCONFINED);
    await expect.poll(() => jobs.list()[0]).toMatchObject({ state: 'exited', exitCode: 4 });
  });
});
