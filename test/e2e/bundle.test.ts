import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILT_COMMAND } from '../built-command.ts';
import { sendError, startLoopback } from '../loopback/http-frame.ts';
import { createScratch, type Scratch } from './run-wield.ts';

// What is lost on the way into the bundle: each case loads a part that is loaded late.
let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => scratch.remove());

async function wield(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BUILT_COMMAND, ...args], {
    cwd: scratch.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: scratch.home, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}

const tool = (name: string, input: object) => wield(['tool', 'run', name, '--input', JSON.stringify(input)]);

test('settings with comments are read', async () => {
  mkdirSync(join(scratch.home, '.config/wield'), { recursive: true });
  writeFileSync(join(scratch.home, '.config/wield/settings.json'), '{\n  // as one likes it\n  "model": "demo",\n}\n');
  expect(await wield(['-p', 'show me a.txt'])).toMatchObject({ status: 0, output: expect.stringContaining('alpha') });
  expect(await wield(['models'])).toMatchObject({ status: 0, output: expect.stringContaining('anthropic') });
});

test.each([
  ['one byte a letter', Buffer.from('caf\xe9 cr\xe8me\nold\n', 'latin1'), 'é', [0xe9]],
  [
    'two bytes a letter',
    Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xf0, 0x0a, 0x6f, 0x6c, 0x64, 0x0a]),
    '本',
    [0x96, 0x7b],
  ],
])('a file in an old encoding of %s is read and edited', async (_name, bytes, letter, encoded) => {
  const path = scratch.path('old.txt');
  writeFileSync(path, bytes);
  expect((await tool('ReadFile', { path })).status).toBe(0);
  expect((await tool('EditFile', { path, old_string: 'old', new_string: letter })).status).toBe(0);
  expect(readFileSync(path)).toEqual(Buffer.concat([bytes.subarray(0, -4), Buffer.from(encoded), Buffer.from('\n')]));
});

test('a wrong input is told by the schema', async () => {
  expect(await tool('ReadFile', { path: 7 })).toMatchObject({ status: 1, output: expect.stringContaining('path') });
});

test('searches run', async () => {
  expect(await tool('Grep', { pattern: 'alpha' })).toMatchObject({
    status: 0,
    output: expect.stringContaining('a.txt:1: alpha'),
  });
  expect(await tool('Glob', { pattern: '*.txt' })).toMatchObject({ status: 0, output: expect.stringContaining('a.txt') });
});

test.each(['anthropic', 'openai', 'google', 'deepseek'])('the wire format of %s is loaded', async (vendor) => {
  const server = await startLoopback(async (_request, response) => sendError(response, 401, { message: 'no such key' }));
  const key = vendor === 'google' ? 'GEMINI_API_KEY' : `${vendor.toUpperCase()}_API_KEY`;
  const env = { [key]: 'k', [`${vendor.toUpperCase()}_BASE_URL`]: server.url };
  const { status, output } = await wield(['-p', 'hi', '--model', `${vendor}/m`], env);
  await server.close();
  expect(output).toContain('error model_key_rejected: no such key');
  expect(status).toBe(3);
});
