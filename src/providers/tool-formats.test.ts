import { afterEach, expect, test } from 'vitest';
import { createProject, createTestAgent, runToEnd, type TestProject } from '../../test/agent-harness.ts';
import { startAnthropicServer } from '../../test/loopback/anthropic-server.ts';
import { defineTool } from '../core/define-tool.ts';
import { EventLines } from '../core/event-lines.ts';
import { ToolRegistry } from '../core/registry.ts';
import type { ToolSpec } from '../core/tool.ts';
import { succeed } from '../core/tool-result.ts';
import { setupTools } from '../tools/builtin.ts';
import { createAnthropicProvider } from './anthropic/provider.ts';
import { offerTools, TOOL_FORMATS } from './tool-formats.ts';

let project: TestProject | null = null;
afterEach(() => project?.remove());

const spec = (name: string, inputSchema: object): ToolSpec => ({
  name,
  description: 'A tool.',
  inputSchema: inputSchema as ToolSpec['inputSchema'],
  category: 'mcp',
  isReadOnly: true,
  isDestructive: false,
});
const UNION = {
  oneOf: [
    { type: 'object', properties: { a: { type: 'string' } } },
    { type: 'object', properties: {} },
  ],
};
const ODD_KEY = { type: 'object', properties: { 'a b': { type: 'string' } } };

test('a schema is reshaped for each dialect, and one that cannot be is left out alone', () => {
  const specs = [spec('Union', UNION), spec('OddKey', ODD_KEY)];
  const { tools, unusable } = offerTools(specs, 'anthropic');
  expect(tools).toMatchObject([{ name: 'Union', input_schema: { type: 'object', properties: { a: { type: 'string' } } } }]);
  expect(tools[0]).not.toHaveProperty('input_schema.oneOf');
  expect(unusable).toEqual([{ name: 'OddKey', problem: expect.stringContaining('a b') }]);
  expect(offerTools(specs, 'openai-chat')).toMatchObject({ tools: [{}, {}], unusable: [] });
});

test("wield's own tools are offered to everyone", () => {
  const registry = setupTools(new ToolRegistry({ renderers: TOOL_FORMATS }), { allowWrite: true, allowBash: true });
  for (const dialect of ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const) {
    const { tools, unusable } = offerTools(registry.specs(), dialect);
    expect(unusable).toEqual([]);
    expect(tools).toEqual(registry.toAPIFormat(dialect));
  }
});

test('a tool that a server would refuse kills no request, and the person is told once', async () => {
  project = createProject();
  const server = await startAnthropicServer([{ calls: [{ name: 'Glob', input: { pattern: '*' } }] }, { text: 'ok' }]);
  const odd = defineTool({
    name: 'OddKey',
    description: 'A tool.',
    inputSchema: ODD_KEY as never,
    category: 'mcp',
    isReadOnly: true,
    isDestructive: false,
    footprint: () => ({ extent: 'listed', reads: [], writes: [] }),
    subject: () => '',
    execute: async () => succeed('ok', {}),
  });
  const provider = createAnthropicProvider({ apiKey: 'k', baseUrl: server.url });
  const events = await runToEnd(createTestAgent(project, provider, { extraTools: [odd] }), 'go');
  await server.close();
  expect(events.at(-1)).toMatchObject({ outcome: 'done', turns: 2 });
  const lines = new EventLines();
  const told = events.flatMap((event) => lines.accept(event)).filter((line) => line.includes('OddKey'));
  expect(told).toEqual([expect.stringMatching(/^\* OddKey is not offered to this model: /)]);
});
