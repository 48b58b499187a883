import { describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd } from '../../../test/agent-harness.ts';
import { type GeminiReply, startGeminiServer } from '../../../test/loopback/gemini-server.ts';
import type { AssistantMessage, ImageBlock, Message, ToolResultBlock } from '../../core/message.ts';
import type { ModelRequest } from '../../core/model.ts';
import { ToolRegistry } from '../../core/registry.ts';
import { setupTools } from '../../tools/builtin.ts';
import { geminiFaults } from './check.ts';
import { createGeminiProvider, renderGeminiRequest } from './provider.ts';
import { TOOL_FORMATS } from '../tool-formats.ts';

const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });

function requestOf(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  const signal = new AbortController().signal;
  return { model: 'gemini-3-pro', system: 's', messages, tools: registry.specs(), maxOutputTokens: 100, signal, ...more };
}

interface Body {
  readonly contents: readonly { readonly role: string; readonly parts: readonly Record<string, unknown>[] }[];
  readonly [key: string]: unknown;
}

/** The body for these messages, which the checker must take. */
function bodyOf(messages: readonly Message[], model = 'gemini-3-pro', seesImages = true): Body {
  const body = JSON.parse(renderGeminiRequest(requestOf(messages, { model }), { id: 'gemini', seesImages })) as Body;
  expect(geminiFaults(body, model)).toEqual([]);
  return body;
}

const made = { provider: 'gemini', model: 'gemini-3-pro' };
const said = (text: string) => [{ type: 'text' as const, text }];
const hi: Message = { role: 'user', content: said('hi') };
const answer = (content: AssistantMessage['content'], more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  state: 'complete',
  ...made,
  content,
  ...more,
});
const glob = (id: string, more: object = {}) => ({
  type: 'tool_use' as const,
  id,
  wireId: id,
  name: 'Glob',
  input: { n: 1 },
  ...more,
});
const result = (toolUseId: string, content: ToolResultBlock['content'], isError = false): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content,
  isError,
});
const replay = (data: Record<string, string | boolean>) => ({ replay: { ...made, data } });
const image: ImageBlock = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const inlineData = { mimeType: 'image/png', data: 'AAAA' };
const SKIP = 'skip_thought_signature_validator';

describe('a Gemini request', () => {
  test('carries exactly what the registry renders, and no list of tools that is empty', () => {
    const { contents: _contents, tools, ...rest } = bodyOf([hi]);
    expect(tools).toEqual([{ functionDeclarations: registry.toAPIFormat('gemini') }]);
    expect(rest).toEqual({ systemInstruction: { parts: [{ text: 's' }] }, generationConfig: { maxOutputTokens: 100 } });
    const bare = JSON.parse(renderGeminiRequest(requestOf([hi], { tools: [], system: '' }), { id: 'gemini' })) as Body;
    expect(Object.keys(bare)).toEqual(['generationConfig', 'contents']);
  });

  test('has all calls of an answer in one content and all results in the next, each with its signature and id', () => {
    const asked = answer([
      { type: 'thinking', text: 'for people' },
      { type: 'thinking', text: 'signed', ...replay({ thoughtSignature: 's0' }) },
      { type: 'text', text: 'so', ...replay({ thoughtSignature: 's1' }) },
      glob('a', replay({ thoughtSignature: 's2' })),
      glob('call_2', { wireId: null }),
      { type: 'opaque', ...replay({ text: '', thoughtSignature: 's3' }) },
    ]);
    const answered: Message = {
      role: 'user',
      content: [result('a', said('one')), result('call_2', said('no'), true), ...said('go on')],
    };
    expect(bodyOf([hi, asked, answered]).contents).toEqual([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'signed', thought: true, thoughtSignature: 's0' },
          { text: 'so', thoughtSignature: 's1' },
          { functionCall: { id: 'a', name: 'Glob', args: { n: 1 } }, thoughtSignature: 's2' },
          { functionCall: { name: 'Glob', args: { n: 1 } } },
          { text: '', thoughtSignature: 's3' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'Glob', response: { output: 'one' } } },
          { functionResponse: { name: 'Glob', response: { error: 'no' } } },
          { text: 'go on' },
        ],
      },
    ]);
  });

  test('signs the first call of a step that has no signature of this model, where the model asks for one', () => {
    const own = replay({ thoughtSignature: 's1' });
    const foreign = { replay: { ...own.replay, model: 'gemini-2.5-pro' } };
    const signaturesOf = (calls: AssistantMessage['content'], model: string): unknown[] => {
      const results = calls.map((_call, i) => result(String.fromCharCode(97 + i), said('x')));
      const { contents } = bodyOf([hi, answer(calls), { role: 'user', content: results }], model);
      return contents[1]?.parts.map((part) => part['thoughtSignature']) ?? [];
    };
    expect(signaturesOf([glob('a', foreign), glob('b')], 'gemini-3-pro')).toEqual([SKIP, undefined]);
    expect(signaturesOf([glob('a'), glob('b')], 'gemini-flash-latest')).toEqual([SKIP, undefined]);
    expect(signaturesOf([glob('a', own), glob('b')], 'gemini-3-pro')).toEqual(['s1', undefined]);
    expect(signaturesOf([glob('a', own), glob('b')], 'gemini-2.5-flash')).toEqual([undefined, undefined]);
  });

  test('gives the calls of other providers no id', () => {
    const other = answer([glob('toolu_1')], { provider: 'anthropic', model: 'claude' });
    const { contents } = bodyOf([hi, other, { role: 'user', content: [result('toolu_1', said('x'))] }]);
    expect(contents[1]?.parts).toEqual([{ functionCall: { name: 'Glob', args: { n: 1 } }, thoughtSignature: SKIP }]);
    expect(contents[2]?.parts).toEqual([{ functionResponse: { name: 'Glob', response: { output: 'x' } } }]);
  });

  test('carries pictures of results inside them for Gemini 3, and behind all of them for older models', () => {
    const history: Message[] = [
      hi,
      answer([glob('a'), glob('b')]),
      { role: 'user', content: [result('a', [...said('see'), image]), result('b', said('x')), image] },
    ];
    expect(bodyOf(history).contents[2]?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'Glob', response: { output: 'see' }, parts: [{ inlineData }] } },
      { functionResponse: { id: 'b', name: 'Glob', response: { output: 'x' } } },
      { inlineData },
    ]);
    expect(bodyOf(history, 'gemini-2.5-pro').contents[2]?.parts).toEqual([
      { functionResponse: { id: 'a', name: 'Glob', response: { output: 'see' } } },
      { functionResponse: { id: 'b', name: 'Glob', response: { output: 'x' } } },
      { inlineData },
      { inlineData },
    ]);
    expect(JSON.stringify(bodyOf(history, 'gemini-3-pro', false))).not.toContain('inlineData');
  });

  test('lets user and model speak in turn, the user first', () => {
    const foreignThought = answer([{ type: 'thinking', text: 'hm' }]);
    const { contents } = bodyOf([answer(said('a')), answer(said('b')), hi, foreignThought, hi]);
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Go on.' }] },
      { role: 'model', parts: [{ text: 'a' }, { text: 'b' }] },
      { role: 'user', parts: [{ text: 'hi' }, { text: 'hi' }] },
    ]);
  });

  test('never repeats text that was no JSON, and never sends half a character, blank text or a bad name', () => {
    const malformed = glob('a', { name: '3.glob files', input: null, malformedInput: 'oops' });
    const half = answer([...said('cut \ud83d'), ...said(' \n'), malformed, glob('b', { input: { '\ud83d': ['\ud83d'] } })]);
    const answered: Message = { role: 'user', content: [result('a', said('no \ud83d')), result('b', []), ...said('')] };
    const { contents } = bodyOf([hi, half, answered]);
    expect(contents[1]?.parts[1]?.['functionCall']).toEqual({ id: 'a', name: '_3_glob_files', args: {} });
    expect(JSON.stringify(contents)).not.toMatch(/oops|ud83d/);
  });

  test('serialises a message once, and anew for another model or behind other calls', () => {
    let reads = 0;
    const counted: Message = {
      role: 'user',
      get content() {
        reads++;
        return said('hi');
      },
    };
    const render = (messages: readonly Message[], model = 'gemini-3-pro'): number => {
      const before = reads;
      renderGeminiRequest(requestOf(messages, { model }), { id: 'gemini' });
      return reads - before;
    };
    const first = answer(said('a'));
    const second: Message = {
      ...first,
      content: [{ type: 'tool_use', id: 'x', wireId: null, name: 'Look', input: {} }],
    } as Message;
    expect(render([hi, first, counted])).toBeGreaterThan(0);
    expect(render([hi, first, counted])).toBe(0);
    expect(render([hi, second, counted])).toBeGreaterThan(0);
    expect(render([hi, second, counted], 'gemini-2.5-pro')).toBeGreaterThan(0);
  });
});

type Call = NonNullable<GeminiReply['calls']>[number];

describe('an agent over a Gemini server', () => {
  async function play(scriptOf: (read: (name: string, id?: string) => Call) => readonly GeminiReply[]) {
    const project = createProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
    const server = await startGeminiServer(
      scriptOf((name, id) => ({
        name: 'ReadFile',
        args: { path: project.path(name) },
        ...(id === undefined ? {} : { id }),
      })),
    );
    const retry = { retries: 0, baseDelayMs: 1, maxDelayMs: 1 };
    const provider = createGeminiProvider({ id: 'loopback', baseUrl: server.url, apiKey: 'k', retry });
    try {
      return { server, events: await runToEnd(createTestAgent(project, provider), 'read both') };
    } finally {
      project.remove();
      await server.close();
    }
  }

  test('reads two files, hands each signature back on its part, and is refused nothing', async () => {
    const { server, events } = await play((read) => [
      { thought: 'two files', text: 'I read.', calls: [read('a.txt', 'x1'), read('b.txt')], signature: 'sig-1' },
      { text: 'alpha and beta', signature: 'sig-2' },
    ]);
    expect(server.faults).toEqual([]);
    expect(server.paths).toEqual(Array(2).fill('/v1beta/models/scripted:streamGenerateContent?alt=sse'));
    expect(resultsOf(events).map(({ text }) => text)).toEqual([
      expect.stringContaining('alpha'),
      expect.stringContaining('beta'),
    ]);
    expect(server.requests[1]?.contents.slice(1)).toMatchObject([
      { role: 'model', parts: [{ text: 'I read.' }, { thoughtSignature: 'sig-1' }, { functionCall: { name: 'ReadFile' } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'x1' } }, { functionResponse: { name: 'ReadFile' } }] },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });

  test('asks again after a malformed call and an overload in mid-answer, and runs no call of theirs', async () => {
    const { server, events } = await play((read) => [
      { calls: [read('a.txt')], finishReason: 'MALFORMED_FUNCTION_CALL' },
      { text: 'half', error: { status: 'UNAVAILABLE', message: 'overloaded' } },
      { text: 'whole' },
    ]);
    expect(server.faults).toEqual([]);
    expect(server.requests).toHaveLength(3);
    expect(resultsOf(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'done' });
  });

  test('ends as refused where the prompt is blocked', async () => {
    const { events } = await play(() => [{ blockReason: 'SAFETY' }]);
    expect(events.at(-1)).toMatchObject({ type: 'run_end', outcome: 'refused' });
  });
});
