import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

const WRITER = join(import.meta.dirname, 'write-forever.ts');
const SIZE = 3 * 1024 * 1024;

/** Kills a process that writes 3 MB over and over, in each round at another moment, and looks at what is left. */
export async function expectWholeFiles(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wield-kill-'));
  const path = join(folder, 'big.txt');
  writeFileSync(path, 'a'.repeat(SIZE));
  try {
    for (let round = 0; round < rounds; round++) {
      await killWriter(path, spread(round, rounds));
      const content = readFileSync(path, 'utf8');
      expect(content.length).toBe(SIZE);
      expect(content).toBe(content[0]?.repeat(SIZE));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds over the length of a write, so that kills fall on each of its steps. */
function spread(round: number, rounds: number): number {
  return (round * 40) / rounds;
}

async function killWriter(path: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [WRITER, path, String(SIZE)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: dirname(process.execPath) },
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await sleep(afterMs);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
}
