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

test('commands that run when the program leaves end with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wield-exit-'));
  const script = `
    import { existsSync } from 'node:fs';
    import { runProcess } from ${JSON.stringify(new URL('./process.ts', import.meta.url).href)};
    const run = (name) => runProcess({ file: '/bin/sh', args: ['-c', 'echo $$ > ' + name + '.tmp; mv ' + name + '.tmp ' + name + '; sleep 100'], cwd: ${JSON.stringify(folder)},
      env: { PATH: process.env.PATH }, timeoutMs: null, signal: new AbortController().signal, onOutput: async () => {} });
    for (const name of ['a', 'b']) void run(name);
    setInterval(() => ['a', 'b'].every((name) => existsSync(${JSON.stringify(`${folder}/`)} + name)) && process.exit(7), 10);`;
  try {
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status).toBe(7);
    const pids = ['a', 'b'].map((name) => Number(readFileSync(join(folder, name), 'utf8')));
    expect(pids.map(isAlive)).toEqual([false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
