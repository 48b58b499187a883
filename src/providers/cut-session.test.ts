import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { createCompactingAgent, withUsage } from '../../test/compacting-agent.ts';
import { repairHistory } from '../agent/repair.ts';
import { Transcript } from '../agent/transcript.ts';
import type { ModelRequest } from '../core/model.ts';
import { readSession } from '../sessions/read-session.ts';
import { openSessionLog } from '../sessions/session-log.ts';
import { anthropicFaults, type WireRequest } from './anthropic/check.ts';
import { renderAnthropicRequest } from './anthropic/provider.ts';
import { chatFaults } from './chat/check.ts';
import { renderChatRequest } from './chat/provider.ts';
import { geminiFaults } from './gemini/check.ts';
import { renderGeminiRequest } from './gemini/provider.ts';
import { responsesFaults } from './responses/check.ts';
import { renderResponsesRequest } from './responses/provider.ts';
import { createScriptedProvider, type ScriptedReply } from './scripted.ts';

const MODEL = 'gemini-3-pro';
const FORMATS: readonly (readonly [string, (request: ModelRequest) => string, (body: unknown) => readonly string[]])[] = [
  ['Anthropic', (request) => renderAnthropicRequest(request), (body) => anthropicFaults(body as WireRequest)],
  [
    'chat',
    (request) => renderChatRequest(request, { id: 'c', baseUrl: '', apiKey: null, seesImages: true }),
    (body) => chatFaults(body),
  ],
  ['Responses', (request) => renderResponsesRequest(request, { id: 'r' }), responsesFaults],
  ['Gemini', (request) => renderGeminiRequest(request, { id: 'g' }), (body) => geminiFaults(body, MODEL)],
];

let project: TestProject;
let log: string;
beforeEach(async () => {
  project = createProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
  log = project.path('session.jsonl');
  const read = (name: string) => ({ name: 'ReadFile', input: { path: project.path(name) } });
  const error = { kind: 'overloaded', message: 'Overloaded', status: null, retryable: true } as const;
  const script: ScriptedReply[] = [
    { text: 'I look.', calls: [read('a.txt'), read('b.txt'), read('missing.txt')] },
    { text: 'Half', calls: [read('a.txt')], error },
    { calls: [{ name: 'Bash', input: { command: 'echo hi' } }, read('a.txt')] },
    { calls: [read('b.txt'), { name: 'ReadFile', json: '{"path": ' }] },
    { text: 'A summary of it.' },
    { text: 'Done.' },
  ];
  const provider = withUsage(createScriptedProvider(script), [{}, {}, {}, { inputTokens: 90_000, outputTokens: 1 }]);
  const header = {
    type: 'session',
    version: 1,
    id: 'cut',
    cwd: project.root,
    model: MODEL,
    createdAt: '2026-01-01T00:00:00Z',
  } as const;
  const session = openSessionLog(log, header);
  await runToEnd(createCompactingAgent(project, provider, { contextTokens: 100_000, log: session }), 'Look at the files.');
  await session.close();
});
afterEach(() => project.remove());

/** The request that goes on with a session whose file holds only this. */
async function requestAfter(content: Buffer): Promise<ModelRequest> {
  const path = project.path('cut.jsonl');
  writeFileSync(path, content);
  const { messages, compaction } = await readSession(path);
  const transcript = new Transcript(messages, compaction);
  transcript.add({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] });
  const sent = transcript.sentUntil(transcript.messages.length);
  const { signal } = new AbortController();
  return { model: MODEL, system: 's', messages: repairHistory(sent), tools: [], maxOutputTokens: 100, signal };
}

describe('a session whose file ends early', () => {
  test('goes on with a request that every server takes, and each time with the same one', async () => {
    const whole = readFileSync(log);
    const lineEnds = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    expect(lineEnds.length).toBeGreaterThan(20);
    expect(whole.toString('utf8')).toContain('"type":"compacted"');
    // After each line, and in the middle of each.
    const cuts = lineEnds.flatMap((end, i) => [end, Math.floor((end + (lineEnds[i + 1] ?? whole.length)) / 2)]);
    for (const cut of cuts) {
      const request = await requestAfter(whole.subarray(0, cut));
      const again = await requestAfter(whole.subarray(0, cut));
      for (const [name, render, faultsOf] of FORMATS) {
        const body = render(request);
        expect([name, cut, faultsOf(JSON.parse(body))]).toEqual([name, cut, []]);
        expect(render(again)).toBe(body);
      }
    }
  });
});
