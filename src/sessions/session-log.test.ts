import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentEvent } from '../core/agent-event.ts';
import { assertSessionWritable, openSessionLog } from './session-log.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-log-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HEADER = { type: 'session', version: 1, id: 's', cwd: '/', model: 'm', createdAt: 'now' } as const;

function said(seq: number): AgentEvent {
  return {
    seq,
    turn: 1,
    agentId: 'main',
    type: 'message_added',
    message: { role: 'user', content: [{ type: 'text', text: 'x' }] },
  };
}

function seqs(path: string): (number | undefined)[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { seq?: number }).seq);
}

test('a file that could not be opened is tried again, and no line is lost', async () => {
  const folder = join(root, 'sessions');
  writeFileSync(folder, 'in the way');
  const log = openSessionLog(join(folder, 's.jsonl'), HEADER);
  log.append(said(1));
  await expect(log.flush()).rejects.toMatchObject({ code: 'session_write_failed' });
  log.append(said(2));
  await expect(log.flush()).rejects.toMatchObject({ code: 'session_write_failed' });
  rmSync(folder);
  log.append(said(3));
  await log.close();
  expect(seqs(join(folder, 's.jsonl'))).toEqual([undefined, 1, 2, 3]);
});

test('closing a session that was never written says why, and is no bug', async () => {
  const path = join(root, 'file', 's.jsonl');
  writeFileSync(join(root, 'file'), '');
  const log = openSessionLog(path, HEADER);
  log.append(said(1));
  await expect(log.close()).rejects.toMatchObject({
    code: 'session_write_failed',
    message: expect.stringContaining(`could not be written to ${path}: E`),
    remedy: 'See what stands at that path; what was written before is intact.',
  });
});

test('asking whether a session can be written makes no file', async () => {
  const path = join(root, 'sessions', 's.jsonl');
  await assertSessionWritable(path);
  expect(() => readFileSync(path)).toThrow('ENOENT');
});
