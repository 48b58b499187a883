import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

function processesMarked(mark: string): number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.map(Number).filter((pid) => environmentOf(pid).includes(mark));
}

function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** What a program is that runs two commands, and then does one more thing. */
function programIn(folder: string, then: string): string {
  return `
    import { existsSync } from 'node:fs';
    import { runProcess } from ${JSON.stringify(new URL('./process.ts', import.meta.url).href)};
    const run = (name) => runProcess({ file: '/bin/sh', args: ['-c', 'echo $$ > ' + name + '.tmp; mv ' + name + '.tmp ' + name + '; sleep 100'], cwd: ${JSON.stringify(folder)},
      env: { PATH: process.env.PATH }, timeoutMs: null, signal: new AbortController().signal, onOutput: async () => {} });
    for (const name of ['a', 'b']) void run(name);
    setInterval(() => ['a', 'b'].every((name) => existsSync(${JSON.stringify(`${folder}/`)} + name)) && ${then}, 10);`;
}

function commandsIn(folder: string): number[] {
  return ['a', 'b'].map((name) => Number(readFileSync(join(folder, name), 'utf8')));
}

test('commands that run when the program leaves end with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-exit-'));
  try {
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', programIn(folder, 'process.exit(7)')]);
    expect(status).toBe(7);
    expect(commandsIn(folder).map(isAlive)).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('commands that run when the program is killed end with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-exit-'));
  try {
    const script = programIn(folder, "process.kill(process.pid, 'SIGKILL')");
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(signal).toBe('SIGKILL');
    await expect.poll(() => commandsIn(folder).map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Runs a script that ends as by `kill -9`, and returns what it wrote. */
function runKilled(script: string): string {
  const { signal, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  return stdout;
}

const hostFile = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

test.skipIf(process.platform !== 'linux')(
  'what was started just before the program is killed ends with it, also out of its group',
  async () => {
    const started = runKilled(`
    import { spawn } from 'node:child_process';
    import { endMarkedWithProgram } from ${hostFile('./exit-guard.ts')};
    endMarkedWithProgram('WIELD_TEST=${process.pid}');
    const { pid } = spawn('sh', ['-c', 'setsid sleep 100; sleep 100'], { env: { PATH: process.env.PATH, WIELD_TEST: '${process.pid}' }, stdio: 'ignore', detached: true });
    process.stdout.write(String(pid), () => process.kill(process.pid, 'SIGKILL'));`);
    const left = (): number[] => processesMarked(`WIELD_TEST=${process.pid}`);
    await expect.poll(() => [isAlive(Number(started)), left()], { timeout: 10_000 }).toEqual([false, []]);
  },
);

test.skipIf(process.platform !== 'linux')('commands still end with a program whose watcher was killed before', async () => {
  const started = runKilled(`
    import { readFileSync } from 'node:fs';
    import { runProcess } from ${hostFile('./process.ts')};
    import { setTimeout as sleep } from 'node:timers/promises';
    const children = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ').map(Number);
    const watcher = () => children().find((pid) => readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('known='));
    let command;
    void runProcess({ file: '/bin/sh', args: ['-c', 'echo $$; sleep 100'], cwd: '/', env: { PATH: process.env.PATH }, timeoutMs: null,
      signal: new AbortController().signal, onOutput: async (bytes) => { command = String(bytes); } });
    while (command === undefined) await sleep(5);
    const first = watcher();
    process.kill(first, 'SIGKILL');
    while (watcher() === undefined || watcher() === first) await sleep(5);
    process.stdout.write(command, () => process.kill(process.pid, 'SIGKILL'));`);
  await expect.poll(() => isAlive(Number(started)), { timeout: 10_000 }).toBe(false);
});
