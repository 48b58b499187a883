import { writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { startAnthropicServer } from '../../test/loopback/anthropic-server.ts';
import { startChatServer } from '../../test/loopback/chat-server.ts';
import { startGeminiServer } from '../../test/loopback/gemini-server.ts';
import { startResponsesServer } from '../../test/loopback/responses-server.ts';
import type { Message } from '../core/message.ts';
import type { Provider } from '../core/model.ts';
import { createAnthropicProvider } from './anthropic/provider.ts';
import { createOpenAIChatProvider } from './chat/provider.ts';
import { createGeminiProvider } from './gemini/provider.ts';
import { createResponsesProvider } from './responses/provider.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let project: TestProject;
const servers: { close(): Promise<void>; readonly faults: readonly string[] }[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  project.remove();
});

interface Stage {
  readonly provider: Provider;
  readonly model: string;
}

/** The calls of each stage: an image, a text, and one that fails, all in one message. */
function callsIn(root: string) {
  return ['a.png', 'b.txt', 'missing.txt'].map((name) => ({ name: 'ReadFile', input: { path: `${root}/${name}` } }));
}

async function stages(root: string): Promise<readonly Stage[]> {
  const calls = callsIn(root);
  const thinking = { text: 'I think.', signature: 'signed-by-anthropic' };
  const anthropicScript = [
    { thinking, text: 'I look.', calls },
    { thinking, text: 'Seen.' },
  ];
  const anthropic = await startAnthropicServer([...anthropicScript, ...anthropicScript]);
  const chat = await startChatServer([{ reasoning: 'I reason.', text: 'I look.', calls }, { text: 'Seen.' }]);
  const reasoning = { summary: 'I sum up.', sealed: 'sealed-by-openai' };
  const responses = await startResponsesServer([{ reasoning, text: 'I look.', calls }, { text: 'Seen.' }]);
  const gemini = await startGeminiServer([
    { thought: 'I ponder.', calls: calls.map(({ name, input }) => ({ name, args: input })), signature: 'signed-by-google' },
    { text: 'Seen.', signature: 'signed-by-google' },
  ]);
  servers.push(anthropic, chat, responses, gemini);
  const first = { provider: createAnthropicProvider({ apiKey: 'k', baseUrl: anthropic.url }), model: 'claude' };
  return [
    first,
    { provider: createOpenAIChatProvider({ id: 'chat', baseUrl: chat.baseUrl, apiKey: 'k', seesImages: true }), model: 'qwen' },
    { provider: createResponsesProvider({ id: 'openai', baseUrl: responses.url, apiKey: 'k' }), model: 'gpt-5' },
    { provider: createGeminiProvider({ id: 'google', baseUrl: gemini.url, apiKey: 'k' }), model: 'gemini-3-pro' },
    first,
  ];
}

/** What one more prompt adds to a session. */
async function messagesOf({ provider, model }: Stage, history: readonly Message[]): Promise<Message[]> {
  const events = await runToEnd(createTestAgent(project, provider, { history, model }), 'Look at the files.');
  expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done', turns: 2 });
  return events.flatMap((event) => (event.type === 'message_added' ? [event.message] : []));
}

test('a session that goes from model to model in the middle of tool work is taken by each', async () => {
  project = createProject({ 'b.txt': 'beta\n' });
  writeFileSync(project.path('a.png'), Buffer.from(PIXEL, 'base64'));
  const history: Message[] = [];
  for (const stage of await stages(project.root)) history.push(...(await messagesOf(stage, history)));
  expect(servers.map(({ faults }) => faults)).toEqual([[], [], [], []]);
  const kept = JSON.stringify(history);
  for (const secret of ['signed-by-anthropic', 'sealed-by-openai', 'signed-by-google']) expect(kept).toContain(secret);
});

test('what one model sealed goes back to it and to no other', async () => {
  project = createProject({ 'b.txt': 'beta\n' });
  writeFileSync(project.path('a.png'), Buffer.from(PIXEL, 'base64'));
  const history: Message[] = [];
  for (const stage of await stages(project.root)) history.push(...(await messagesOf(stage, history)));
  const [anthropic = '', chat = '', responses = '', gemini = ''] = servers.map((server) => JSON.stringify(server));
  expect(anthropic).toContain('signed-by-anthropic');
  for (const other of [chat, responses, gemini]) expect(other).not.toContain('signed-by-anthropic');
  expect(responses).toContain('sealed-by-openai');
  for (const other of [anthropic, chat, gemini]) expect(other).not.toContain('sealed-by-openai');
  expect(gemini).toContain('signed-by-google');
  for (const other of [anthropic, chat, responses]) expect(other).not.toContain('signed-by-google');
});
