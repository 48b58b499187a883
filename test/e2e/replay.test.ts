import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAnthropicServer } from '../loopback/anthropic-server.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from './run-wield.ts';

let scratch: Scratch;
let other: Scratch;
beforeEach(() => {
  scratch = createScratch({ 'a.txt': 'alpha\n' });
  other = createScratch({ 'a.txt': 'alpha\n' });
});
afterEach(() => {
  scratch.remove();
  other.remove();
});

const withoutTimes = (lines: string, { root }: Scratch): string =>
  lines
    .replaceAll(root, '{root}')
    .replaceAll(/"session_id":"[^"]*"/g, '"session_id":"{id}"')
    .replaceAll(/"(duration_ms|until_ms)":[\d.]+/g, '"$1":0');

test('a cassette gives the same stream in another folder without server and key, and says where another prompt differs', async () => {
  const server = await startAnthropicServer([
    { text: 'looking', calls: [{ name: 'ReadFile', input: { path: scratch.path('a.txt') } }] },
    { text: 'it says alpha' },
  ]);
  const cassette = join(scratch.home, 'c.jsonl');
  const flags = ['--output-format', 'stream-json', '--include-partial-messages'];
  const live = await runWield(scratch, ['-p', 'what is in it?', '--model', 'anthropic/m', '--record', cassette, ...flags], {
    env: anthropicAt(server.url),
  });
  await server.close();
  expect(live.code).toBe(0);
  expect(readFileSync(cassette, 'utf8')).not.toContain('test-key');
  const again = await runWield(other, ['-p', 'what is in it?', '--replay', cassette, ...flags]);
  // What is shown while an input comes is in the words of then.
  const shown = (text: string, place: Scratch): string =>
    withoutTimes(text, place)
      .split('\n')
      .filter((line) => !line.includes('tool_input_delta'))
      .join('\n');
  expect(shown(again.stdout, other)).toBe(shown(live.stdout, scratch));
  const unknown = await runWield(other, ['-p', 'what else?', '--replay', cassette]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('recorded was "what is in it?", now it is "what else?"');
  expect(await runWield(other, ['-p', 'x', '--replay', join(other.home, 'none')])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error cassette_unusable: '),
  });
});

test('a session replays, becomes a test for elsewhere, and a changed result makes it fail', async () => {
  expect((await runWield(scratch, ['-p', 'read a.txt', '--model', 'demo'])).code).toBe(0);
  writeFileSync(scratch.path('a.txt'), 'changed since\n');
  const replayed = await runWield(scratch, ['sessions', 'replay']);
  expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringMatching(/: the same again\n1 turn, 1 call: 1 equal/)]);
  expect(readFileSync(scratch.path('a.txt'), 'utf8')).toBe('changed since\n');

  const file = join(other.home, 'read.jsonl');
  expect((await runWield(scratch, ['sessions', 'make-test', '--out', file])).code).toBe(0);
  rmSync(scratch.root, { recursive: true });
  expect((await runWield(other, ['sessions', 'replay', '--test', file], { env: { TZ: 'Asia/Tokyo' } })).code).toBe(0);
  writeFileSync(file, readFileSync(file, 'utf8').replace('1\\talpha', '1\\tomega'));
  const failed = await runWield(other, ['sessions', 'replay', '--test', file]);
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringContaining(
      'turn 1, call call_1, ReadFile: its result differs from line 1\n  recorded: "1\\tomega"\n  replayed: "1\\talpha"\n',
    ),
  ]);
});
