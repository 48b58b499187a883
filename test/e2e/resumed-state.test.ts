import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer, type WireReply } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch, type WieldRun } from './run-wield.ts';

let scratch: Scratch;
let server: AnthropicServer | null = null;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(async () => {
  expect(server?.faults ?? []).toEqual([]);
  await server?.close();
  scratch.remove();
});

function call(name: string, input: object): WireReply {
  return { calls: [{ name, input }] };
}

async function answering(...script: readonly WireReply[]): Promise<void> {
  await server?.close();
  server = await startAnthropicServer(script);
}

function wield(args: readonly string[], stdin?: string): Promise<WieldRun> {
  return runWield(scratch, args, { env: anthropicAt(server?.url ?? ''), ...(stdin === undefined ? {} : { stdin }) });
}

function sent(at: number): string {
  return JSON.stringify(server?.requests[at]?.messages.at(-1));
}

function below(folder: string): string[] {
  const root = join(scratch.home, '.local/state/wield', folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .toSorted();
}

test('files that the model has seen, rules of the session and background commands are known after a restart', {
  timeout: 90_000,
}, async () => {
  const path = scratch.path('a.txt');
  await answering(
    call('ReadFile', { path }),
    call('WriteFile', { path: scratch.path('b.txt'), content: 'b\n' }),
    call('Bash', { command: 'exec sleep 6075', run_in_background: true }),
    { text: 'done' },
  );
  await wield(['--session-id', 's'], 'go\na\ny\nexit\n');
  expect(readFileSync(scratch.path('b.txt'), 'utf8')).toBe('b\n');

  // Without the rule it would be refused, and without what was seen it would have to be read first.
  await answering(call('WriteFile', { path, content: 'beta\n' }), call('BashOutput', { job_id: 'job_1' }), { text: 'done' });
  expect(await wield(['-p', 'on', '--resume', 's'])).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(readFileSync(path, 'utf8')).toBe('beta\n');
  expect(sent(0)).toMatch(/<jobs_ended>[^<]*job_1: exec sleep 6075/);
  expect(sent(2)).toContain('job_1 (exec sleep 6075) was ended.');

  // It is told once, and what was allowed for one session is not allowed for its fork.
  await answering(call('WriteFile', { path, content: 'gamma\n' }), { text: 'could not' });
  expect(await wield(['-p', 'fork', '--resume', 's', '--fork-session'])).toMatchObject({ code: 4 });
  expect(sent(0)).not.toContain('jobs_ended');
  expect(readFileSync(path, 'utf8')).toBe('beta\n');
});

test('a file that changed since the session was left has to be read again', { timeout: 90_000 }, async () => {
  const path = scratch.path('a.txt');
  await answering(call('ReadFile', { path }), { text: 'done' });
  await wield(['-p', 'go', '--session-id', 's']);
  writeFileSync(path, 'changed by somebody\n');
  await answering(call('WriteFile', { path, content: 'beta\n' }), { text: 'done' });
  await wield(['-p', 'on', '--resume', 's', '--permission-mode', 'acceptEdits']);
  expect(readFileSync(path, 'utf8')).toBe('changed by somebody\n');
});

test('old sessions go with all that is theirs alone; what the others need to undo stays', { timeout: 90_000 }, async () => {
  for (const id of ['old', 'young']) {
    writeFileSync(scratch.path(`${id}.txt`), `${id} as it was\n`);
    await answering(
      call('ReadFile', { path: scratch.path(`${id}.txt`) }),
      call('WriteFile', { path: scratch.path(`${id}.txt`), content: `${id} now\n` }),
      { text: 'done' },
    );
    await wield(['-p', 'go', '--session-id', id, '--permission-mode', 'acceptEdits']);
    // What a session finds when it starts is kept for its replay.
    if (id === 'old') rmSync(scratch.path('old.txt'));
  }
  const [old = ''] = below('sessions').filter((path) => path.endsWith('old.jsonl'));
  utimesSync(old, 0, 0);
  expect((await wield(['sessions', 'prune', '--older-than', '30d', '--dry-run'])).stdout).toMatch(
    /^would remove old\nwould free /,
  );
  expect(existsSync(old)).toBe(true);
  writeFileSync(`${old}.lock`, JSON.stringify({ pid: process.pid, startedAt: null }));
  expect(JSON.parse((await wield(['sessions', 'prune', '--keep', '0', '--json'])).stdout)).toMatchObject({
    removed: [],
    held: ['old'],
    contentsLeft: 'a session of this folder is open',
  });
  writeFileSync(`${old}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: null }));
  const packs = below('effects').length;
  expect((await wield(['sessions', 'prune', '--older-than', '30d'])).stdout).toMatch(
    /^removed old\nfreed .*, of which \d+ B were kept for undo\n$/,
  );
  expect(below('sessions').map((path) => path.split('/').at(-1))).toEqual(
    expect.arrayContaining(['young.jsonl', 'young.effects']),
  );
  expect([below('sessions').length, below('effects').length < packs]).toEqual([3, true]);
  expect(await wield(['undo'])).toMatchObject({ code: 0 });
  expect(readFileSync(scratch.path('young.txt'), 'utf8')).toBe('young as it was\n');
});

test('keepSessionsDays lets old sessions go at the end of another one, but for those with a name, and is not taken from a project', {
  timeout: 90_000,
}, async () => {
  await answering();
  for (const id of ['named', 'nameless']) await wield(['-p', id, '--session-id', id]);
  await wield(['sessions', 'rename', 'named', 'to keep']);
  for (const path of below('sessions')) utimesSync(path, 0, 0);
  mkdirSync(join(scratch.home, '.config/wield'), { recursive: true });
  writeFileSync(join(scratch.home, '.config/wield/settings.json'), '{ "keepSessionsDays": 30 }');
  expect(await wield(['-p', 'new', '--session-id', 'new'])).toMatchObject({ code: 0 });
  expect(below('sessions').map((path) => path.split('/').at(-1))).toEqual(['named.jsonl', 'new.jsonl']);
  mkdirSync(scratch.path('.wield'));
  writeFileSync(scratch.path('.wield/settings.json'), '{ "keepSessionsDays": 1 }');
  expect(await wield(['-p', 'x', '--trust'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"keepSessionsDays" may stand only'),
  });
});
