import { afterEach, describe, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer, type WireReply } from '../loopback/anthropic-server.ts';
import type { WireRequest } from '../../src/providers/anthropic/check.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

const CONFIG = `${JSON.stringify({ name: 'shop', database: { host: 'db.local', port: 5433 } }, null, 2)}\n`;
const QUESTION = 'what port does the database use in config.json?';

let scratch: Scratch;
let server: AnthropicServer;
afterEach(async () => {
  scratch.remove();
  await server.close();
});

/** A model that answers with the port that it finds in the last result. */
function answerFromResult(request: WireRequest): WireReply {
  const text = JSON.stringify(request.messages.at(-1)?.content);
  const port = /\\"port\\": (\d+)/.exec(text)?.[1];
  return { text: port === undefined ? 'I did not see a port.' : `The database uses port ${port}.` };
}

describe('the worked example', () => {
  test('one ReadFile, its result, and the answer with the port', async () => {
    scratch = createScratch({ 'config.json': CONFIG });
    server = await startAnthropicServer([
      { calls: [{ name: 'ReadFile', input: { path: scratch.path('config.json') } }] },
      answerFromResult,
    ]);
    const run = await runWield(scratch, ['-p', QUESTION], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'The database uses port 5433.\n' });
    expect(server.faults).toEqual([]);
    expect(server.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
    expect(server.requests[1]?.messages[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1_0' }],
    });
  });

  test('in PascalCase a relative path is refused with the absolute one, and the second call answers', async () => {
    scratch = createScratch({ 'config.json': CONFIG });
    server = await startAnthropicServer([
      { calls: [{ name: 'read_file', input: { file_path: 'config.json' } }] },
      (request) => {
        const meant = /You probably meant \\\\"([^"\\]+)/.exec(
          JSON.stringify(JSON.stringify(request.messages.at(-1))).replaceAll('\\\\\\"', '\\\\"'),
        )?.[1];
        return { calls: [{ name: 'read_file', input: { file_path: meant ?? 'none' } }] };
      },
      answerFromResult,
    ]);
    const run = await runWield(scratch, ['-p', QUESTION], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'The database uses port 5433.\n' });
    expect(server.faults).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.messages.at(-1))).toContain(scratch.path('config.json'));
    expect(server.requests[1]?.messages.at(-1)?.content[0]).toMatchObject({ is_error: true });
  });

  test('with toolNames snake_case the same call works at once', async () => {
    scratch = createScratch({
      'config.json': CONFIG,
      '../home/.config/wield/settings.json': '{ "toolNames": "snake_case" } // as models like it\n',
    });
    server = await startAnthropicServer([
      { calls: [{ name: 'read_file', input: { file_path: 'config.json' } }] },
      answerFromResult,
    ]);
    const run = await runWield(scratch, ['-p', QUESTION], { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'The database uses port 5433.\n' });
    expect(server.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'patch_file', 'run_command', 'glob', 'search']),
    );
    expect(server.faults).toEqual([]);
  });
});
