import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serveMCP } from 'wield/mcp';
import { createMemoryBackend, createScriptedProvider } from 'wield';
import { askWithAISDK } from '../examples/ai-sdk.ts';
import { askWithAnthropic } from '../examples/anthropic-sdk.ts';
import { review } from '../examples/code-review.ts';
import { dryRun } from '../examples/custom-backend.ts';
import { countLines } from '../examples/custom-provider.ts';
import { askShop } from '../examples/custom-tool.ts';
import { firstAgent } from '../examples/first-agent.ts';
import { wordTools } from '../examples/mcp-server.ts';
import { askWithOpenAIChat, askWithOpenAIResponses } from '../examples/openai-sdk.ts';
import { serveAgent } from '../examples/web-server.ts';
import { createProject, type TestProject } from './agent-harness.ts';
import { startAnthropicServer } from './loopback/anthropic-server.ts';
import { startChatServer } from './loopback/chat-server.ts';
import { startResponsesServer } from './loopback/responses-server.ts';

let project: TestProject;
beforeEach(() => {
  project = createProject({ 'config.json': '{\n  "port": 5433\n}\n', 'src/a.ts': 'export const limit = 10;\n' });
});
afterEach(() => project.remove());

const prompt = 'Which port?';

test('a first agent answers about a folder', async () => {
  expect(await firstAgent(project.root, 'show me src/a.ts')).toContain('export const limit = 10;');
});

test('tools of one’s own answer, and an error says what there is', async () => {
  const text = await askShop('What does fruit cost now?');
  expect(text).toMatch(/\d{4}-\d\d-\d\dT/);
  expect(text).toContain('3 cents');
  expect(text).toContain('There is no fig. There are: apple, pear.');
});

test('a provider of one’s own is a model like any other', async () => {
  expect(await countLines()).toBe('3 lines.');
});

test('a dry run reads the disk, sees its own writes, and leaves the disk as it is', async () => {
  const path = project.path('src/a.ts');
  const provider = createScriptedProvider([
    { calls: [{ name: 'EditFile', input: { path, old_string: '= 10', new_string: '= 20' } }] },
    {
      calls: [
        { name: 'Grep', input: { pattern: 'limit = 20' } },
        { name: 'Bash', input: { command: 'rm -rf .' } },
      ],
    },
    {
      calls: [
        { name: 'WriteFile', input: { path: project.path('new/b.ts'), content: 'b\n' } },
        { name: 'ReadFile', input: { path } },
      ],
    },
    { text: 'done' },
  ]);
  const results: string[] = [];
  const changed = await dryRun(provider, { cwd: project.root, prompt: 'raise the limit' }, (event) => {
    if (event.type === 'tool_result') results.push(JSON.stringify(event.result.content));
  });
  expect(changed).toEqual({ [path]: 'export const limit = 20;\n', [project.path('new/b.ts')]: 'b\n' });
  expect(readFileSync(path, 'utf8')).toBe('export const limit = 10;\n');
  expect(results.join('\n')).toContain('src/a.ts:1: export const limit = 20;');
  expect(results.join('\n')).toContain('disabled here by');
});

describe('inside of other loops', () => {
  const call = (path: string) => ({ calls: [{ name: 'ReadFile', input: { path } }] });

  test('of the AI SDK', async () => {
    const server = await startAnthropicServer([call(project.path('config.json')), { text: 'Port 5433.' }]);
    const model = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'k' })('claude-opus-5-5');
    expect(await askWithAISDK(model, { cwd: project.root, prompt })).toBe('Port 5433.');
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('5433');
    await server.close();
  });

  test('of Anthropic’s SDK', async () => {
    const server = await startAnthropicServer([call(project.path('config.json')), call('config.json'), { text: 'Port 5433.' }]);
    const client = new Anthropic({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    expect(await askWithAnthropic(client, { cwd: project.root, prompt })).toBe('Port 5433.');
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('5433');
    // What is wrong with a call is told to the model, as an error that says what to do.
    expect(server.requests[2]?.messages.at(-1)?.content[0]).toMatchObject({ type: 'tool_result', is_error: true });
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test('of OpenAI’s SDK, over chat completions', async () => {
    const server = await startChatServer([call(project.path('config.json')), { text: 'Port 5433.' }]);
    const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'k', maxRetries: 0 });
    expect(await askWithOpenAIChat(client, { cwd: project.root, prompt })).toBe('Port 5433.');
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('5433');
    expect(server.faults).toEqual([]);
    await server.close();
  });

  test('of OpenAI’s SDK, over Responses', async () => {
    const server = await startResponsesServer([call(project.path('config.json')), { text: 'Port 5433.' }]);
    const client = new OpenAI({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    expect(await askWithOpenAIResponses(client, { cwd: project.root, prompt })).toBe('Port 5433.');
    expect(JSON.stringify(server.requests[1]?.input)).toContain('5433');
    await server.close();
  });
});

test('a review reads around the change and gives findings', async () => {
  const finding = { path: 'src/a.ts', line: 1, severity: 'error', message: 'The limit is read as a string elsewhere.' } as const;
  const provider = createScriptedProvider([
    {
      calls: [
        { name: 'Grep', input: { pattern: 'limit' } },
        { name: 'WriteFile', input: { path: '/project/x', content: 'x' } },
      ],
    },
    {
      calls: [
        { name: 'ReportFinding', input: finding },
        { name: 'ReportFinding', input: { ...finding, line: 0 } },
      ],
    },
    { text: 'One problem.' },
  ]);
  const backend = createMemoryBackend({ files: { 'src/a.ts': 'export const limit = "10";\n' } });
  expect(await review('-export const limit = 10;\n+export const limit = "10";', provider, { backend })).toEqual([finding]);
  expect(Object.keys(backend.files.texts())).toEqual(['/project/src/a.ts']);
});

test('an MCP server offers a tool of one’s own', async () => {
  await using toolbox = wordTools();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const served = serveMCP(toolbox, { input, output, signal: stop.signal });
  const ask = async (message: object): Promise<string> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return String((await once(output, 'data'))[0]);
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  expect(await ask({ id: 2, method: 'tools/list', params: {} })).toContain('"CountWords"');
  const params = { name: 'CountWords', arguments: { text: 'one two  three' } };
  expect(JSON.parse(await ask({ id: 3, method: 'tools/call', params }))).toMatchObject({
    result: { content: [{ type: 'text', text: '3' }], isError: false },
  });
  stop.abort();
  await served;
});

test('a page streams a run, and a permission is given on it', async () => {
  const path = project.path('note.txt');
  const write = { calls: [{ name: 'WriteFile', input: { path, content: 'hello\n' } }] };
  const provider = createScriptedProvider([write, { text: 'Written.' }, write, { text: 'Not written.' }]);
  await using page = await serveAgent(provider, { cwd: project.root });
  const post = (body: object, url = page.url) => fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const lines: { type: string; text: string; requestId?: string }[] = [];
  const run = async (isAllowed: boolean): Promise<void> => {
    const { body } = await post({ prompt: 'write a note' });
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      for (const text of chunk.split('\n').filter((line) => line !== '')) {
        const line = JSON.parse(text) as (typeof lines)[number];
        lines.push(line);
        if (line.requestId !== undefined) expect((await post({ requestId: line.requestId, isAllowed })).status).toBe(204);
      }
    }
  };
  expect((await fetch(page.url.replace(/key=.*/, 'key=wrong'))).status).toBe(403);
  expect(await (await fetch(page.url)).text()).toContain('<main aria-live="polite">');
  await run(true);
  expect(lines.map(({ type }) => type)).toEqual(['question', 'call', 'text', 'end']);
  expect([lines[0]?.text.includes(path), readFileSync(path, 'utf8'), lines[2]?.text]).toEqual([true, 'hello\n', 'Written.']);
  writeFileSync(path, 'mine\n');
  lines.length = 0;
  await run(false);
  expect([lines.map(({ type }) => type), readFileSync(path, 'utf8')]).toEqual([['question', 'text', 'end'], 'mine\n']);
});
