import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
