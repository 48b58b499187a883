import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import type { Message } from '../core/message.ts';
import { createScriptedProvider, type ScriptedReply } from '../providers/scripted.ts';
import { isReplayRefusal, withoutReplays } from './replays.ts';

let project: TestProject | null = null;
afterEach(() => project?.remove());

const replay = { provider: 'scripted', model: 'scripted', data: 'sealed' };
const HISTORY: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'go' }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', text: 'hm', replay },
      { type: 'opaque', replay },
      { type: 'text', text: 'Well.', replay },
      { type: 'tool_use', id: 'a', wireId: 'a', name: 'Look', input: {}, replay },
    ],
    state: 'complete',
    provider: 'scripted',
    model: 'scripted',
  },
  { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text: 'x' }], isError: false }] },
];
const REFUSED: ScriptedReply = {
  error: { kind: 'bad_request', message: 'The encrypted content for item rs_1 could not be verified.', status: 400 },
};

test.each([
  'The encrypted content for item rs_68 could not be verified. Reason: …',
  'The encrypted_content gAAA could not be decrypted or parsed',
  'Corrupted thought signature.',
  'Thought signature is not valid',
  'messages.1.content.0: Invalid `signature` in `thinking` block',
  'messages.3.content.1: Invalid signature in redacted_thinking block',
])('a provider that says %j cannot read what it sealed', (message) => {
  expect(isReplayRefusal({ kind: 'bad_request', message, status: 400 })).toBe(true);
  expect(isReplayRefusal({ kind: 'server', message, status: 500 })).toBe(false);
});

test('another bad request is no such refusal', () => {
  expect(isReplayRefusal({ kind: 'bad_request', message: 'max_tokens: too large', status: 400 })).toBe(false);
  expect(isReplayRefusal(null)).toBe(false);
});

test('without replays the words, calls and results stay', () => {
  const [prompt, reply, answer] = HISTORY;
  expect(withoutReplays(HISTORY)).toEqual([
    prompt,
    {
      ...reply,
      content: [
        { type: 'text', text: 'Well.' },
        { type: 'tool_use', id: 'a', wireId: 'a', name: 'Look', input: {} },
      ],
    },
    answer,
  ]);
});

test('what a provider cannot verify is left out from then on, and asked for once more', async () => {
  project = createProject({ 'a.txt': 'alpha\n' });
  const call: ScriptedReply = { calls: [{ name: 'ReadFile', input: { path: project.path('a.txt') } }] };
  const provider = createScriptedProvider([REFUSED, call, { text: 'ok' }]);
  const events = await runToEnd(createTestAgent(project, provider, { history: HISTORY }), 'Go on.');
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  expect(provider.requests.map(({ messages }) => JSON.stringify(messages).includes('sealed'))).toEqual([true, false, false]);
  expect(events.filter((event) => event.type === 'error')).toEqual([]);
});

test('a second refusal ends the run with what the provider said', async () => {
  project = createProject();
  const provider = createScriptedProvider([REFUSED, REFUSED, { text: 'never' }]);
  const events = await runToEnd(createTestAgent(project, provider, { history: HISTORY }), 'Go on.');
  expect(provider.requests).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'failed' });
  expect(events.find((event) => event.type === 'error')).toMatchObject({ error: { code: 'model_bad_request' } });
});
