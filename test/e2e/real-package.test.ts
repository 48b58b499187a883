import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { startAnthropicServer } from '../loopback/anthropic-server.ts';
import type { WireRequest } from '../../src/providers/anthropic/check.ts';
import { anthropicAt, createScratch, runWield } from './run-wield.ts';

const PLANTED = "var ext = path.replace(/^.*[\\.\\/\\\\]/, '');";
const RIGHT = "var ext = path.replace(/^.*[\\.\\/\\\\]/, '').toLowerCase();";

/** The text of the answers in the last message. */
function answers(request: WireRequest): string {
  const blocks = request.messages.at(-1)?.content ?? [];
  return blocks.map((block) => (block.content as { text: string }[]).map(({ text }) => text).join('\n')).join('\n');
}

test('a bug planted in a real package is found, read, mended and proved by its own tests', async () => {
  const scratch = createScratch();
  const source = dirname(createRequire(import.meta.url).resolve('mime/package.json'));
  cpSync(source, scratch.root, { recursive: true });
  writeFileSync(scratch.path('mime.js'), readFileSync(scratch.path('mime.js'), 'utf8').replace(RIGHT, PLANTED));
  const testRun = { name: 'Bash', input: { command: 'npm test' } };
  const server = await startAnthropicServer([
    { text: 'First the tests.', calls: [testRun, { name: 'Grep', input: { pattern: 'prototype\\.lookup', glob: '*.js' } }] },
    (request) => {
      const found = /^(mime\.js):(\d+): /m.exec(answers(request));
      return {
        calls: [
          { name: 'ReadFile', input: { path: scratch.path(found?.[1] ?? 'none'), offset: Number(found?.[2] ?? 1), limit: 5 } },
        ],
      };
    },
    (request) => {
      const line = /^\d+\t(\s*var ext = .*)$/m.exec(answers(request))?.[1] ?? 'not seen';
      return {
        calls: [
          {
            name: 'EditFile',
            input: { path: scratch.path('mime.js'), old_string: line, new_string: line.replace("'');", "'').toLowerCase();") },
          },
        ],
      };
    },
    { calls: [testRun] },
    (request) => ({
      text: answers(request).includes('<exit_code>0</exit_code>') ? 'The tests pass now.' : 'The tests still fail.',
    }),
  ]);
  try {
    const args = [
      '-p',
      'the upper-case lookup is broken, mend it',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash(npm test)',
    ];
    const run = await runWield(scratch, args, { env: anthropicAt(server.url) });
    expect(run).toMatchObject({ code: 0, stdout: 'The tests pass now.\n' });
    expect(readFileSync(scratch.path('mime.js'), 'utf8')).toBe(readFileSync(`${source}/mime.js`, 'utf8'));
    expect(server.faults).toEqual([]);
    expect(server.requests.map(({ messages }) => messages.map(({ role }) => role[0]).join(''))).toEqual([
      'u',
      'uau',
      'uauau',
      'uauauau',
      'uauauauau',
    ]);
    const first = server.requests[1]?.messages[2];
    expect(first?.content.map((block) => block.tool_use_id)).toEqual(['toolu_1_0', 'toolu_1_1']);
    expect(JSON.stringify(first)).toContain('AssertionError');
  } finally {
    await server.close();
    scratch.remove();
  }
});
