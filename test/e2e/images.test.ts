import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AnthropicServer, startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

// The smallest PNG: one pixel.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let scratch: Scratch;
let server: AnthropicServer;
beforeEach(async () => {
  scratch = createScratch({ 'note.png': 'no picture' });
  writeFileSync(scratch.path('dot.png'), Buffer.from(PNG, 'base64'));
  server = await startAnthropicServer([{ text: 'A dot.' }]);
});
afterEach(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
  scratch.remove();
});

test('--image reaches the model with the prompt, as it is', async () => {
  const args = ['-p', 'what is it?', '--image', 'dot.png', '--image', scratch.path('dot.png')];
  expect(await runWield(scratch, args, { env: anthropicAt(server.url) })).toMatchObject({ code: 0, stdout: 'A dot.\n' });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  expect(server.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'what is it?' }, image, image] }]);
});

test('what is no picture, what is not there, and a model that takes none are refused before anything is sent', async () => {
  const refusal = async (image: string, env: Record<string, string>): Promise<string> => {
    const { code, stderr } = await runWield(scratch, ['-p', 'hi', '--image', image], { env });
    expect(code).toBe(2);
    return stderr;
  };
  const env = anthropicAt(server.url);
  expect(await refusal('note.png', env)).toContain('error misuse: note.png is no image that models take.');
  expect(await refusal('gone.png', env)).toContain('gone.png cannot be read');
  expect(await refusal('dot.png', {})).toContain('error misuse: The model demo takes no images.');
  expect(server.requests).toEqual([]);
});
