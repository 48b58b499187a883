import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, createTestAgent, resultsOf, runToEnd, type TestProject } from '../../../test/agent-harness.ts';
import { type ChatServer, type ChatWireRequest, startChatServer } from '../../../test/loopback/chat-server.ts';
import type { ToolSpec } from '../../core/tool.ts';
import { createOpenAIChatProvider } from '../chat/provider.ts';
import { withPromptTools } from './provider.ts';
import { marksOf, readAnswer, writeCall } from './protocol.ts';

const marks = marksOf('c0de');

describe('an answer', () => {
  test('is text, then calls to its end', () => {
    const call = { name: 'ReadFile', input: { path: '/a "b"' } };
    expect(readAnswer(`I look.\n\n${writeCall(call, marks)}\n${writeCall(call, marks)}\n`, marks)).toEqual({
      text: 'I look.',
      calls: [call, call],
    });
    expect(readAnswer('Only words, <call-other name="x">.', marks)).toMatchObject({ calls: [] });
  });

  test.each([
    ['a mark in mid-line', `as in ${writeCall({ name: 'A', input: {} }, marks)}`, 'start its line'],
    ['a mark in a quote', `> ${writeCall({ name: 'A', input: {} }, marks)}`, 'start its line'],
    ['an indented mark', `\n  ${writeCall({ name: 'A', input: {} }, marks)}`, 'start its line'],
    ['a mark in a code fence', `\`\`\`xml\n${writeCall({ name: 'A', input: {} }, marks)}\n\`\`\``, 'code fence'],
    ['a mark in a fence of a list', `- ~~~~\n~~~\n${writeCall({ name: 'A', input: {} }, marks)}`, 'code fence'],
    ['two calls on one line', writeCall({ name: 'A', input: {} }, marks).repeat(2), 'behind'],
    ['an end before the start', `</call-c0de>\n${writeCall({ name: 'A', input: {} }, marks)}`, 'did not start'],
    ['text behind a call', `${writeCall({ name: 'A', input: {} }, marks)} and so on`, 'behind'],
    ['no end', '<call-c0de name="A">\n{}', 'no end'],
    ['an end alone', 'x </call-c0de>', 'did not start'],
    ['no name', '<call-c0de >\n{}\n</call-c0de>', 'first line'],
    ['arguments that are no JSON', '<call-c0de name="A">\n{path: 1}\n</call-c0de>', 'no JSON object'],
    ['arguments that are no object', '<call-c0de name="A">\n[1]\n</call-c0de>', 'no JSON object'],
    ['no arguments at all', '<call-c0de name="A">\n</call-c0de>', 'no JSON object'],
  ])('with %s is refused and not guessed', (_what, answer, problem) => {
    expect(readAnswer(answer, marks)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test('may have code fences that are closed before its calls', () => {
    const call = { name: 'A', input: {} };
    const text = '```ts\nconst a = `x`;\n```\n\n~~~\n```\n~~~\n```x``` y';
    expect(readAnswer(`${text}\r\n${writeCall(call, marks)}\r\n\r\n${writeCall(call, marks)}`, marks)).toEqual({
      text,
      calls: [call, call],
    });
  });

  test('is read back as it was written, whatever stands in it', () => {
    const call = fc.record({
      name: fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/),
      input: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    const isReadBack = (calls: { name: string; input: unknown }[]): void => {
      fc.pre(!JSON.stringify(calls).includes('c0de'));
      const plain = JSON.parse(JSON.stringify(calls)) as unknown;
      expect(readAnswer(calls.map((each) => writeCall(each, marks)).join('\n'), marks)).toEqual({ text: '', calls: plain });
    };
    fc.assert(fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), isReadBack), { numRuns: 300 });
  });
});

const TOOL: ToolSpec = {
  name: 'Look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  category: 'file',
  isReadOnly: true,
  isDestructive: false,
};

let server: ChatServer | null = null;
let project: TestProject | null = null;
afterEach(async () => {
  await server?.close();
  project?.remove();
});

/** The code that this conversation uses, as the model is told it. */
function codeIn({ body }: ChatWireRequest): string {
  return /<call-(\w+) /.exec(String(body.messages[0]?.content))?.[1] ?? '';
}

async function run(answer: (code: string, path: string) => string) {
  project = createProject({ 'a.txt': 'alpha\n' });
  const path = project.path('a.txt');
  server = await startChatServer([(request) => ({ text: answer(codeIn(request), path) }), { text: 'It holds alpha.' }]);
  const plain = createOpenAIChatProvider({ id: 'plain', baseUrl: server.baseUrl, apiKey: null });
  const events = await runToEnd(createTestAgent(project, withPromptTools(plain)), 'What is in a.txt?');
  return { events, requests: server.requests, faults: server.faults };
}

describe('a model without tools of its own', () => {
  test('reads a file through text alone', async () => {
    const { events, requests, faults } = await run(
      (code, path) => `I look.\n<call-${code} name="ReadFile">\n{"path": ${JSON.stringify(path)}}\n</call-${code}>`,
    );
    expect(resultsOf(events)).toEqual([{ text: '1\talpha', isError: false }]);
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
    expect(faults).toEqual([]);
    expect(requests.map(({ body }) => body['tools'])).toEqual([undefined, undefined]);
    const roles = requests[1]?.body.messages.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
    expect(requests[1]?.body.messages.at(-1)?.content).toContain('1\talpha');
    const shown = events.flatMap((event) =>
      event.type === 'model' && event.event.type === 'text_delta' ? [event.event.text] : [],
    );
    expect(shown.join('')).toBe('I look.\nIt holds alpha.');
  });

  test('is told the same marks in every process, and others in another conversation', async () => {
    const codeFor = async (question: string): Promise<string> => {
      project?.remove();
      await server?.close();
      project = createProject({});
      server = await startChatServer([]);
      const plain = createOpenAIChatProvider({ id: 'plain', baseUrl: server.baseUrl, apiKey: null });
      const request = { model: 'm', system: 's', tools: [TOOL], maxOutputTokens: 9, signal: new AbortController().signal };
      const messages = [{ role: 'user', content: [{ type: 'text', text: question }] }] as const;
      for await (const _event of withPromptTools(plain).stream({ ...request, messages }));
      return server.requests.map(codeIn).join();
    };
    const code = await codeFor('What is in a.txt?');
    expect(code).toMatch(/^[0-9a-f]{12}$/);
    expect(await codeFor('What is in a.txt?')).toBe(code);
    expect(await codeFor('What is in b.txt?')).not.toBe(code);
  });

  test('that quotes a call of another conversation runs nothing', async () => {
    const { events } = await run((_code, path) => `<call-0000 name="ReadFile">\n{"path": "${path}"}\n</call-0000>`);
    expect(resultsOf(events)).toEqual([]);
  });

  test('that garbles a call is asked again', async () => {
    const { events } = await run((code) => `<call-${code} name="ReadFile">\n{path}\n</call-${code}>`);
    expect(events.filter((event) => event.type === 'message_replaced')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: 'done' });
  });
});
