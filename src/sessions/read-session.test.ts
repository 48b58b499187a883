import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../core/message.ts';
import { NO_USAGE } from '../core/model.ts';
import { readSession } from './read-session.ts';
import { openSessionLog, type SessionHeader } from './session-log.ts';
import { readSessionReport } from './session-report.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wield-session-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HEADER: SessionHeader = { type: 'session', version: 1, id: 's', cwd: '/', model: 'm', createdAt: '2026-11-30T10:00:00Z' };
const said = (text: string): object => ({
  type: 'message_added',
  message: { role: 'user', content: [{ type: 'text', text }] },
});
const compacted = (summary: string, keptMessages: number): object => ({
  type: 'compacted',
  reason: 'long',
  by: 'model',
  summary,
  keptMessages,
});

function sessionOf(...lines: readonly (object | string)[]): string {
  const path = join(root, 's.jsonl');
  writeFileSync(path, [HEADER, ...lines].map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

test('the last compaction counts, from the messages before it', async () => {
  const path = sessionOf(said('1'), compacted('old', 1), said('2'), said('3'), compacted('new', 1), said('4'));
  const { messages, compaction } = await readSession(path);
  expect(messages).toHaveLength(4);
  expect(compaction).toEqual({ summary: 'new', firstKept: 2 });
});

test('a damaged line long before a compaction does not shift what it keeps', async () => {
  const { compaction } = await readSession(sessionOf('{"type":"mess', said('2'), said('3'), compacted('new', 1)));
  expect(compaction).toEqual({ summary: 'new', firstKept: 1 });
});

test('a damaged compaction is told of, and every message is sent', async () => {
  const { compaction, notices } = await readSession(sessionOf(said('1'), { type: 'compacted', reason: 'x' }));
  expect([compaction, notices.length]).toEqual([null, 1]);
});

test('a session of before the ledger is whole', async () => {
  const { notices } = await readSession(sessionOf({ type: 'run_start' }, said('1')));
  expect(notices).toEqual([]);
});

test('a report is what was logged', async () => {
  const path = join(root, 'logged.jsonl');
  const log = openSessionLog(path, { ...HEADER, id: 'logged' });
  const place = { seq: 1, turn: 1, agentId: 'main' };
  const call = { type: 'tool_use', id: 'a', wireId: 'a', name: 'Look', input: {} } as const;
  const block = { type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: 'seen' }], isError: false } as const;
  log.append({ ...place, type: 'run_start', tools: [{ name: 'Look', schemaTokens: 30 }] });
  log.append({ ...place, type: 'message_added', message: { role: 'user', content: [{ type: 'text', text: 'Look.' }] } });
  const reply = { role: 'assistant', content: [call], state: 'complete', provider: 'p', model: 'n' } as const;
  log.append({ ...place, type: 'message_added', message: reply });
  log.append({ ...place, type: 'tool_result', toolUseId: 'a', name: 'Look', result: block, durationMs: 12 });
  log.append({ ...place, type: 'message_added', message: { role: 'user', content: [block] } });
  log.append({ ...place, type: 'turn_end', stopReason: 'tool_use', usage: { ...NO_USAGE, inputTokens: 9 }, cost: 0.5 });
  await log.close();
  expect(await readSessionReport(path)).toEqual({
    id: 'logged',
    name: null,
    parent: null,
    prompts: [{ number: 1, prompt: 'Look.' }],
    rewoundCount: 0,
    createdAt: HEADER.createdAt,
    model: 'm',
    models: ['m', 'n'],
    firstPrompt: 'Look.',
    messageCount: 3,
    compactionCount: 0,
    ledger: {
      tools: [
        {
          name: 'Look',
          calls: 1,
          failures: 0,
          schemaTokens: 30,
          allSchemaTokens: 30,
          inputTokens: 17,
          outputTokens: 1,
          durationMs: 12,
        },
      ],
      turns: 1,
      billed: { usage: { ...NO_USAGE, inputTokens: 9 }, cost: 0.5 },
    },
    notices: [],
  });
});

test('records behind and before a run of NULs are read, and the damage is told', async () => {
  const glued = `${JSON.stringify(said('1'))}\0\0\0\0${JSON.stringify(said('2'))}`;
  const { messages, notices } = await readSession(sessionOf(glued, '\0\0\0\0\0', said('3')));
  expect(messages.map(({ content }) => textOf(content))).toEqual(['1', '2', '3']);
  expect(notices).toEqual(['The session file has 2 damaged line(s) (2, 3); all whole ones were read.']);
});

test('a session whose first line is gone is read all the same', async () => {
  const path = sessionOf(said('1'));
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^.*\n/, '\0\0\0\n'));
  const { messages, notices } = await readSession(path);
  expect([messages.length, notices.length]).toEqual([1, 1]);
});

test('what a cut record quotes is not taken for a record', async () => {
  const quoting = JSON.stringify(said(JSON.stringify(said('quoted'))));
  const { messages } = await readSession(sessionOf(quoting.slice(0, -5), quoting.slice(20), said('1')));
  expect(messages.map(({ content }) => textOf(content))).toEqual(['1']);
});

test('wherever a file is damaged, each record that the damage does not touch is read', async () => {
  const texts = ['a', 'line\u2028sep', 'x'.repeat(300), '\u0000nul', '你好', 'last'];
  const path = sessionOf(...texts.map(said));
  const whole = readFileSync(path);
  const lines = whole.toString('utf8').split('\n');
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 400 }), fc.boolean(), async (at, length, isCut) => {
      const end = Math.min(whole.length, at + length);
      const damage = isCut ? Buffer.alloc(0) : Buffer.alloc(end - at);
      writeFileSync(path, Buffer.concat([whole.subarray(0, at), damage, whole.subarray(end)]));
      let from = 0;
      const untouched = lines.flatMap((line, i) => {
        const to = from + Buffer.byteLength(line);
        // The line end before a record belongs to it where bytes are missing: without it another one ends in its line.
        const isWhole = end <= (isCut ? from - 1 : from) || at >= to + (isCut ? 1 : 0);
        from = to + 1;
        return isWhole && i > 0 ? [texts[i - 1]] : [];
      });
      if (untouched.length === 0) return;
      const { messages } = await readSession(path);
      expect(messages.map(({ content }) => textOf(content))).toEqual(expect.arrayContaining(untouched));
    }),
    {
      numRuns: 150,
      examples: [
        [9, 1, true],
        [0, Buffer.byteLength(lines[0] ?? ''), true],
      ],
    },
  );
});
