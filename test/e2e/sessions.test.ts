import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => scratch.remove());

test('wield sessions lists what this folder has, and show --ledger says what each tool took and what is estimated', async () => {
  expect(await runWield(scratch, ['sessions'])).toMatchObject({ code: 0, stdout: 'There are no sessions in this folder.\n' });
  const run = await runWield(scratch, ['-p', 'read a.txt', '--model', 'demo', '--output-format', 'json']);
  const { session_id: id, num_turns: turns } = JSON.parse(run.stdout) as { session_id: string; num_turns: number };
  const list = await runWield(scratch, ['sessions']);
  expect(list.stdout).toMatch(
    new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +${turns} turns  cost unknown  read a\\.txt\\n$`),
  );

  const shown = await runWield(scratch, ['sessions', 'show', '--ledger']);
  expect(shown.stdout).toMatch(/^Billed tokens, as the provider reported them: /m);
  expect(shown.stdout).toMatch(/^tool +calls +failed +schema once +schema all +input +output +ms\nReadFile +1 +0 +\d+ /m);
  expect(shown.stdout).toContain('are estimated from bytes');

  const asJson = await runWield(scratch, ['sessions', 'show', id, '--ledger', '--json']);
  const { tools } = JSON.parse(asJson.stdout) as { tools: { name: string; calls: number }[] };
  expect(tools.find(({ name }) => name === 'ReadFile')).toMatchObject({ calls: 1, failures: 0 });
  expect(JSON.parse((await runWield(scratch, ['sessions', '--json'])).stdout)).toMatchObject([{ id, turns }]);
});

test('a session that is not there, or no name of one, is said in one line', async () => {
  for (const id of ['none', '../x']) {
    const { code, stderr } = await runWield(scratch, ['sessions', 'show', id]);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `error session_missing: There is no session ${id} here.`]);
  }
});

test('a session that another process is at is not gone on with, and one whose process is gone is', async () => {
  const run = await runWield(scratch, ['-p', 'read a.txt', '--model', 'demo']);
  expect(run.code).toBe(0);
  const sessions = join(scratch.home, '.local/state/wield/sessions');
  const [name = ''] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.jsonl'));
  const lock = join(sessions, `${name}.lock`);
  writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: null }));
  const before = readFileSync(join(sessions, name), 'utf8');
  const refused = await runWield(scratch, ['-p', 'again', '--continue', '--model', 'demo']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error session_write_failed: .* is in use by process/),
  });
  expect(readFileSync(join(sessions, name), 'utf8')).toBe(before);

  const { pid } = spawnSync('true');
  writeFileSync(lock, JSON.stringify({ pid, startedAt: null }));
  expect((await runWield(scratch, ['-p', 'read a.txt', '--continue', '--model', 'demo'])).code).toBe(0);
  expect(readdirSync(dirname(lock)).toSorted()).toEqual([basename(name), basename(name).replace(/jsonl$/, 'start')].toSorted());
});
