import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startAnthropicServer } from '../loopback/anthropic-server.ts';
import { isRunning } from '../processes.ts';
import { anthropicAt, createScratch, runWield } from './run-wield.ts';

const WRITER = join(import.meta.dirname, 'write-forever.ts');
const ROUNDS = 50;
const SIZE = 3 * 1024 * 1024;

test('kill -9 during a 3 MB WriteFile never leaves a mixed file', { timeout: 120_000 }, async () => {
  const scratch = createScratch();
  const path = scratch.path('big.txt');
  writeFileSync(path, 'a'.repeat(SIZE));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, [WRITER, path, String(SIZE)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { PATH: dirname(process.execPath) },
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      // Spread over the length of a write, so that kills fall on each of its steps.
      await sleep((round * 7) % 40);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      const content = readFileSync(path, 'utf8');
      expect(content.length).toBe(SIZE);
      expect(new Set(content.slice(0, 1) + content.slice(SIZE / 2, SIZE / 2 + 1) + content.slice(-1)).size).toBe(1);
      expect(content).toBe(content[0]?.repeat(SIZE));
    }
  } finally {
    scratch.remove();
  }
});

test('SIGTERM ends the run with 143, ends the command it had started, and keeps the session', async () => {
  const scratch = createScratch();
  const server = await startAnthropicServer([
    { calls: [{ name: 'Bash', input: { command: 'echo $$ > pid; exec sleep 60' } }] },
    { text: 'went on' },
  ]);
  try {
    const run = await runWield(scratch, ['-p', 'wait', '--permission-mode', 'bypassPermissions', '--output-format', 'json'], {
      env: anthropicAt(server.url),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!readdirSync(scratch.root).includes('pid')) return;
          clearInterval(timer);
          child.kill('SIGTERM');
        }, 20);
      },
    });
    expect(run.code).toBe(143);
    expect(JSON.parse(run.stdout)).toMatchObject({ type: 'result', is_error: true, subtype: 'error_during_execution' });
    const pid = Number(readFileSync(scratch.path('pid'), 'utf8'));
    expect(isRunning(pid)).toBe(false);
    const next = await runWield(scratch, ['-p', 'go on', '--continue'], { env: anthropicAt(server.url) });
    expect(next).toMatchObject({ code: 0, stdout: 'went on\n' });
    expect(server.faults).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('Interrupted by the person');
  } finally {
    await server.close();
    scratch.remove();
  }
});
