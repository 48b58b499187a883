import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startAnthropicServer } from '../loopback/anthropic-server.ts';
import { expectWholeFiles } from '../crash/killed-writes.ts';
import { expectSessionsSurvive } from '../crash/killed-sessions.ts';
import { runsCommand } from '../processes.ts';
import { anthropicAt, createScratch, runWield } from './run-wield.ts';

test('kill -9 during a 3 MB WriteFile never leaves a mixed file', { timeout: 120_000 }, () => expectWholeFiles(15));

test('kill -9 in the middle of a session: it goes on with every whole record and a sound request', {
  timeout: 120_000,
}, async () => {
  await expectSessionsSurvive(2, 24);
});

test('SIGTERM ends the run with 143, ends the command it had started, and keeps the session', async () => {
  const scratch = createScratch();
  const server = await startAnthropicServer([
    { calls: [{ name: 'Bash', input: { command: 'echo yes > started; exec sleep 6074' } }] },
    { text: 'went on' },
  ]);
  try {
    const run = await runWield(scratch, ['-p', 'wait', '--permission-mode', 'bypassPermissions', '--output-format', 'json'], {
      env: anthropicAt(server.url),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!readdirSync(scratch.root).includes('started')) return;
          clearInterval(timer);
          child.kill('SIGTERM');
        }, 20);
      },
    });
    expect(run.code).toBe(143);
    expect(JSON.parse(run.stdout)).toMatchObject({ type: 'result', is_error: true, subtype: 'error_during_execution' });
    expect(runsCommand('sleep', '6074')).toBe(false);
    const next = await runWield(scratch, ['-p', 'go on', '--continue'], { env: anthropicAt(server.url) });
    expect(next).toMatchObject({ code: 0, stdout: 'went on\n' });
    expect(server.faults).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.messages[2])).toContain('Interrupted by the person');
  } finally {
    await server.close();
    scratch.remove();
  }
});
