import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outputOf, PLAIN_STARTER, startScript } from './output-pipe.ts';
import { runProcess } from './process.ts';
import { endFamily, membersOf } from './process-table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wield-process-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly timeoutMs?: number | null;
  readonly cwd?: string;
  readonly file?: string;
  onOutput?(bytes: Uint8Array): Promise<void>;
}

async function run(command: string, { timeoutMs = 20_000, cwd = folder, file = '/bin/sh', onOutput }: Run = {}) {
  const chunks: Uint8Array[] = [];
  const outcome = await runProcess({
    file,
    args: ['-c', command],
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs,
    signal: new AbortController().signal,
    onOutput: onOutput ?? (async (bytes) => void chunks.push(Uint8Array.from(bytes))),
  });
  return { ...outcome, output: Buffer.concat(chunks).toString() };
}

const QUIET = { exitCode: 0, signal: null, timedOut: false, aborted: false, ended: [], survivors: [] };

describe('runProcess', () => {
  test('gives all output of a program, and how it ended', async () => {
    expect(await run('echo out; echo err >&2')).toEqual({ ...QUIET, output: 'out\nerr\n' });
    expect((await run('seq 1 200000')).output).toHaveLength(1_288_895);
    expect(await run('exit 3', { timeoutMs: null })).toEqual({ ...QUIET, exitCode: 3, output: '' });
  });

  test('a slow reader gets everything', async () => {
    let bytesRead = 0;
    await run('head -c 3000000 /dev/zero', {
      onOutput: async (bytes) => {
        await sleep(5);
        bytesRead += bytes.length;
      },
    });
    expect(bytesRead).toBe(3_000_000);
  });

  test('a reader that fails does not hang the program, and its error comes out', async () => {
    const call = run('head -c 3000000 /dev/zero; touch done', { onOutput: () => Promise.reject(new Error('no room')) });
    await expect(call).rejects.toThrow('no room');
    expect(existsSync(join(folder, 'done'))).toBe(true);
  });

  test('a folder that is not there is an error with its code', async () => {
    await expect(run('true', { cwd: join(folder, 'none') })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a program that is not there is told in the output', async () => {
    const { output, exitCode } = await run('true', { file: '/no/such/shell' });
    expect(exitCode).toBe(127);
    expect(output).toContain('/no/such/shell');
  });

  test('leaves no pipe behind', async () => {
    const pipes = (): string[] => readdirSync(tmpdir()).filter((name) => /^wield-.*\.pipe$/.test(name));
    const before = pipes();
    await run('echo x');
    await run('sleep 10', { timeoutMs: 30 });
    expect(pipes().filter((name) => !before.includes(name))).toEqual([]);
  });

  test('what it starts inherits no file of ours but the three streams', async () => {
    const { output } = await run('ls -l /proc/self/fd | grep -c -- "-> \\(pipe\\|socket\\)"; ls -l /proc/self/fd/1');
    // Its name goes a moment after it was opened.
    expect(output).toMatch(/\.pipe(?: \(deleted\))?$/m);
  });

  test('many at a time do not mix', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`echo ${i}; sleep 0.05; echo ${i} >&2`)));
    expect(runs).toEqual(Array.from({ length: 20 }, (_, i) => ({ ...QUIET, output: `${i}\n${i}\n` })));
  });
});

describe('what is written while the shell starts', () => {
  const start = (write: (path: string) => void) => {
    const path = join(folder, 'late');
    let isClosed = false;
    const late = { path, write: () => write(path), close: () => void (isClosed = true) };
    const chunks: Uint8Array[] = [];
    const ended = runProcess({
      file: '/bin/sh',
      args: ['-c', 'cat <&8; touch ran'],
      starter: { ...PLAIN_STARTER, opens: `8<${path}`, late },
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      onOutput: async (bytes) => void chunks.push(Uint8Array.from(bytes)),
    });
    return { ended, output: () => Buffer.concat(chunks).toString(), isClosed: () => isClosed };
  };

  test('is whole when the program opens it', async () => {
    const run = start((path) => writeFileSync(path, 'plan'));
    expect(await run.ended).toEqual(QUIET);
    expect([run.output(), run.isClosed()]).toEqual(['plan', true]);
  });

  test('and cannot be written, keeps the program from running', async () => {
    const run = start(() => {
      throw new Error('the disk is full');
    });
    await expect(run.ended).rejects.toThrow('the disk is full');
    expect([run.isClosed(), existsSync(join(folder, 'ran'))]).toEqual([true, false]);
  });
});

test('where no named pipe can be made the output comes through a socket', async () => {
  for (const pipe of ['', '/no/such/folder/x.pipe']) {
    const child = spawn('/bin/sh', ['-c', startScript(PLAIN_STARTER), '/bin/echo', pipe, 'plain', 'words'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Uint8Array[] = [];
    for await (const bytes of (await outputOf(child, pipe)) ?? []) chunks.push(bytes as Uint8Array);
    expect(Buffer.concat(chunks).toString()).toBe('plain words\n');
  }
});

describe('endFamily', () => {
  test('never touches its own group, which the kernel means by 0', async () => {
    expect(await membersOf({ group: 0, mark: 'X=1' })).toEqual([]);
    expect(await endFamily({ group: 0, mark: 'X=1' })).toEqual({ ended: [], survivors: [] });
  });

  test('ends a group and what is marked, and nothing else', async () => {
    const mark = `WIELD_CALL=test-${process.pid}`;
    const start = (env: NodeJS.ProcessEnv) =>
      spawn('sleep', ['100'], { detached: true, stdio: 'ignore', env: { ...process.env, ...env } });
    const bystander = start({});
    const [founder, marked] = [start({}), start({ WIELD_CALL: `test-${process.pid}` })];
    const family = { group: founder.pid ?? 0, mark };
    expect(new Set((await membersOf(family)).map(({ pid }) => pid))).toEqual(new Set([founder.pid, marked.pid]));
    expect(await endFamily(family)).toEqual({
      ended: expect.arrayContaining([`sleep (pid ${founder.pid})`, `sleep (pid ${marked.pid})`]),
      survivors: [],
    });
    expect([founder.signalCode, marked.signalCode, bystander.signalCode]).toEqual(['SIGTERM', 'SIGTERM', null]);
    bystander.kill('SIGKILL');
  });
});
