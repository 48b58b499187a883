import { describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd } from '../../../test/agent-harness.ts';
import { type ResponsesReply, startResponsesServer } from '../../../test/loopback/responses-server.ts';
import type { AssistantMessage, Message, ToolResultBlock } from '../../core/message.ts';
import type { ModelRequest } from '../../core/model.ts';
import { ToolRegistry } from '../../core/registry.ts';
import { setupTools } from '../../tools/builtin.ts';
import { createResponsesProvider, renderResponsesRequest } from './provider.ts';
import { responsesFaults } from './check.ts';
import { TOOL_FORMATS } from '../tool-formats.ts';

const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });

function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { model: 'gpt-5', system: 's', messages, tools: registry.specs(), maxOutputTokens: 100, signal, ...more };
}

interface Body {
  readonly input: readonly Record<string, unknown>[];
  readonly [key: string]: unknown;
}

/** The body for these messages, which the checker must take. */
function bodyOf(messages: readonly Message[], options: { readonly seesImages?: boolean } = {}): Body {
  const body = JSON.parse(renderResponsesRequest(requestOf(messages), { id: 'openai', ...options })) as Body;
  expect(responsesFaults(body)).toEqual([]);
  return body;
}

const made = { provider: 'openai', model: 'gpt-5' };
const hi: Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const answer = (content: AssistantMessage['content'], more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  state: 'complete',
  ...made,
  content,
  ...more,
});
const glob = (id: string, input: unknown = { pattern: '*' }) => ({
  type: 'tool_use' as const,
  id,
  wireId: id,
  name: 'Glob',
  input,
});
const result = (toolUseId: string, content: ToolResultBlock['content']): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError: false,
});
const said = (text: string) => [{ type: 'text' as const, text }];
const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed', status: 'completed' };
const thinking = { type: 'thinking' as const, text: 'hm', replay: { ...made, data: sealed } };

describe('a Responses request', () => {
  test('keeps nothing on the server and carries exactly what the registry renders', () => {
    const { tools, input: _input, ...rest } = bodyOf([hi]);
    expect(tools).toEqual(registry.toAPIFormat('openai-responses'));
    expect(rest).toEqual({
      model: 'gpt-5',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 100,
      instructions: 's',
    });
  });

  test('asks no model for sealed reasoning that would refuse to give it, and sends no empty list of tools', () => {
    const render = (model: string): Body =>
      JSON.parse(renderResponsesRequest(requestOf([hi], { model, tools: [] }), { id: 'openai' })) as Body;
    for (const model of ['gpt-4o', 'gpt-4.1-mini', 'openai/gpt-4o', 'gpt-5-chat-latest'])
      expect(render(model)).not.toHaveProperty('include');
    for (const model of ['gpt-5', 'gpt-5.1-codex', 'o4-mini', 'deepseek-v4']) expect(render(model)).toHaveProperty('include');
    expect(render('o3')).not.toHaveProperty('tools');
  });

  test('has message, calls and outputs in groups, results before what the user says', () => {
    const history = [
      hi,
      answer([thinking, { type: 'text', text: 'so', replay: { ...made, data: { phase: 'commentary' } } }, glob('a'), glob('b')]),
      { role: 'user' as const, content: [result('a', said('one')), result('b', said('two')), ...said('go on')] },
    ];
    expect(bodyOf(history).input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'reasoning', summary: [], encrypted_content: 'sealed' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'so', annotations: [] }],
        phase: 'commentary',
      },
      { type: 'function_call', call_id: 'a', name: 'Glob', arguments: '{"pattern":"*"}' },
      { type: 'function_call', call_id: 'b', name: 'Glob', arguments: '{"pattern":"*"}' },
      { type: 'function_call_output', call_id: 'a', output: 'one' },
      { type: 'function_call_output', call_id: 'b', output: 'two' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
    ]);
  });

  test('leaves out reasoning that is not sealed, not of this model, cut, or followed by nothing', () => {
    const unsealed = { ...thinking, replay: { ...made, data: { ...sealed, encrypted_content: null } } };
    const other = { ...thinking, replay: { ...thinking.replay, model: 'gpt-4' } };
    const elsewhere = { ...thinking, replay: { ...thinking.replay, provider: 'azure' } };
    const types = (message: Message): unknown[] => bodyOf([hi, message, hi]).input.map((item) => item['type']);
    for (const block of [unsealed, other, elsewhere, { type: 'thinking' as const, text: 'hm' }])
      expect(types(answer([block, ...said('so')]))).toEqual(['message', 'message', 'message']);
    expect(types(answer([thinking, ...said('so')], { state: 'cut' }))).toEqual(['message', 'message', 'message']);
    expect(types(answer([...said('so'), thinking]))).toEqual(['message', 'message', 'message']);
    expect(types(answer([thinking, ...said('so')]))).toEqual(['message', 'reasoning', 'message', 'message']);
  });

  test('echoes what wield does not know to the model that made it, without its id', () => {
    const item = { type: 'hologram', id: 'h_1', payload: 'x' };
    const message = answer([{ type: 'opaque', replay: { ...made, data: item } }, ...said('so')]);
    expect(bodyOf([hi, message, hi]).input[1]).toEqual({ type: 'hologram', payload: 'x' });
  });

  test('maps ids and names that a server would refuse, by a hash and never by cutting', () => {
    const long = `call_${'x'.repeat(80)}`;
    const calls = [glob(`${long}1`), { ...glob(`${long}2`), name: 'functions.glob files' }];
    const { input } = bodyOf([
      hi,
      answer(calls),
      { role: 'user', content: [result(`${long}1`, said('1')), result(`${long}2`, said('2'))] },
    ]);
    expect(new Set(input.map((item) => item['call_id'])).size).toBe(3);
    expect(input[2]?.['name']).toBe('functions_glob_files');
  });

  test('never repeats text that was no JSON, and never sends half a character or blank text', () => {
    const malformed = { ...glob('a', null), malformedInput: '{"pat' };
    const half = answer([...said('cut \ud83d'), ...said(' \n'), malformed, glob('b', { pattern: '\ud83d' })]);
    const answered: Message = { role: 'user', content: [result('a', said('no \ud83d')), result('b', []), ...said('')] };
    const text = JSON.stringify(bodyOf([hi, half, answered]).input);
    expect(text).toContain('"arguments":"{}"');
    expect(text).not.toContain('{\\"pat"');
    // Neither as it is nor as the escape that a JSON text would make of it.
    expect(text).not.toContain('ud83d');
  });

  test('carries images inside the output of their call, or says that they are there', () => {
    const image = { type: 'image' as const, mediaType: 'image/png' as const, data: 'AAAA' };
    const history = [hi, answer([glob('a')]), { role: 'user' as const, content: [result('a', [...said('see'), image])] }];
    expect(bodyOf(history).input[2]?.['output']).toEqual([
      { type: 'input_text', text: 'see' },
      { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
    ]);
    expect(bodyOf(history, { seesImages: false }).input[2]?.['output']).toEqual([
      { type: 'input_text', text: 'see' },
      { type: 'input_text', text: '[An image, which this model cannot see.]' },
    ]);
  });

  test('serialises a message once, and anew for another model', () => {
    let reads = 0;
    const counted: Message = {
      role: 'user',
      get content() {
        reads++;
        return said('hi');
      },
    };
    renderResponsesRequest(requestOf([counted]), { id: 'openai' });
    const once = reads;
    renderResponsesRequest(requestOf([counted]), { id: 'openai' });
    expect(reads).toBe(once);
    renderResponsesRequest(requestOf([counted], { model: 'other' }), { id: 'openai' });
    expect(reads).toBeGreaterThan(once);
  });
});

type Call = NonNullable<ResponsesReply['calls']>[number];

describe('an agent over a Responses server', () => {
  async function play(scriptOf: (read: (name: string) => Call) => readonly ResponsesReply[]) {
    const project = createProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
    const server = await startResponsesServer(scriptOf((name) => ({ name: 'ReadFile', input: { path: project.path(name) } })));
    const retry = { retries: 0, baseDelayMs: 1, maxDelayMs: 1 };
    const provider = createResponsesProvider({ id: 'loopback', baseUrl: server.url, apiKey: 'k', retry });
    try {
      return { server, events: await runToEnd(createTestAgent(project, provider), 'read both') };
    } finally {
      project.remove();
      await server.close();
    }
  }

  test('reads two files, hands its reasoning back, and is refused nothing', async () => {
    const reasoning = { summary: 'two files to read', sealed: 'sealed-1' };
    const { server, events } = await play((read) => [
      { reasoning, text: 'I read.', phase: 'commentary', calls: [read('a.txt'), read('b.txt')] },
      { text: 'alpha and beta' },
    ]);
    expect(server.faults).toEqual([]);
    expect(server.paths).toEqual(['/v1/responses', '/v1/responses']);
    expect(resultsOf(events).map(({ text }) => text)).toEqual([
      expect.stringContaining('alpha'),
      expect.stringContaining('beta'),
    ]);
    expect(server.requests[1]?.input).toMatchObject([
      { role: 'user' },
      { type: 'reasoning', encrypted_content: 'sealed-1', summary: [{ text: 'two files to read' }] },
      { role: 'assistant', phase: 'commentary' },
      { type: 'function_call', call_id: 'call_1_0' },
      { type: 'function_call', call_id: 'call_1_1' },
      { type: 'function_call_output', call_id: 'call_1_0' },
      { type: 'function_call_output', call_id: 'call_1_1' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });

  test('goes on after broken JSON, a cut call and a lost connection', async () => {
    const { server, events } = await play((read) => [
      { calls: [{ name: 'ReadFile', json: '{"file_path": ' }] },
      { calls: [read('a.txt')], incomplete: 'max_output_tokens' },
      { text: 'half an ans', dropAfter: 5 },
      { text: 'whole' },
    ]);
    expect(server.faults).toEqual([]);
    expect(server.requests).toHaveLength(4);
    expect(resultsOf(events).map(({ isError }) => isError)).toEqual([true, true]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });
});
