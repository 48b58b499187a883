import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch, type WieldRun } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer;
beforeEach(async () => {
  scratch = createScratch({ 'x.sh': 'touch ran\n', 'a.txt': 'old\n' });
  const commands = ['sh x.sh', 'cat a.txt'].map((command) => ({ name: 'Bash', input: { command } }));
  server = await startAnthropicServer([{ calls: commands }, { text: 'done' }]);
});
afterEach(async () => {
  scratch.remove();
  await server.close();
});

const SYSTEM_BWRAP = '/usr/bin/bwrap';

/** Runs where bubblewrap is there and works as in a container that forbids it. The system's own is covered, where there is one. */
function runUnconfined(...flags: readonly string[]): Promise<WieldRun> {
  const bin = join(scratch.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  const PATH = `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const cover = [SYSTEM_BWRAP, '--dev-bind', '/', '/', '--ro-bind', '/dev/null', SYSTEM_BWRAP];
  return runWield(scratch, ['-p', 'go', ...flags], {
    env: { ...anthropicAt(server.url), PATH },
    within: existsSync(SYSTEM_BWRAP) ? cover : [],
  });
}

const RULE = ['--allowedTools', 'Bash(sh x.sh)'];
const BANNER = 'NO SANDBOX: commands run with your rights. bubblewrap does not work here';

describe('R20, where nothing can confine commands', () => {
  test('it is said at the start and in the stream, and a rule does not let project code run', async () => {
    const run = await runUnconfined(...RULE, '--output-format', 'stream-json');
    expect(run.stderr).toContain(BANNER);
    expect(JSON.parse(run.stdout.split('\n')[0] ?? '')).toMatchObject({ subtype: 'init', sandbox: 'none' });
    expect(run.code).toBe(4);
    expect(existsSync(scratch.path('ran'))).toBe(false);
    const answers = JSON.stringify(server.requests[1]?.messages[2]);
    expect(answers).toContain('there is no sandbox on this machine');
    expect(answers).toContain('<output>\\nold\\n</output>');
  });

  test('with --accept-unsandboxed it runs', async () => {
    const run = await runUnconfined(...RULE, '--accept-unsandboxed');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining(BANNER) });
    expect(existsSync(scratch.path('ran'))).toBe(true);
  });

  test('with --require-sandbox nothing starts', async () => {
    const run = await runUnconfined('--require-sandbox');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Commands cannot be confined here: bubblewrap does not work here');
    expect(run.stderr).toContain('go on without --require-sandbox');
    expect(server.requests).toEqual([]);
  });
});

test('a sandbox that is turned off is said, and a rule is enough', async () => {
  const run = await runWield(scratch, ['-p', 'go', ...RULE, '--sandbox', 'danger-full-access'], { env: anthropicAt(server.url) });
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('NO SANDBOX: commands run with your rights. It was turned off'),
  });
  expect(existsSync(scratch.path('ran'))).toBe(true);
});
