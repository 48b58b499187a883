import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCassette } from './cassette.ts';

const HEADER = {
  type: 'cassette',
  version: 1,
  recordedAt: '2026-12-01T00:00:00.000Z',
  model: 'a/b',
  provider: { id: 'a', marksCallEnd: true, seesImages: false },
  endpoint: { id: 'a', format: 'gemini', baseUrl: 'https://a.example', quirks: {} },
  places: [{ name: 'home', path: '/home/ada' }],
};
const REQUEST = { type: 'request', n: 1, key: 'k', model: 'b', tools: 't', messages: [] };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'wield-cassette-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function read(...lines: readonly object[]): ReturnType<typeof readCassette> {
  const path = join(folder, 'x.cassette');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return readCassette(path);
}

test('a cassette is read as it was written', () => {
  const chunk = { type: 'chunk', n: 1, atMs: 2, text: 'x' };
  const answer = { type: 'answer', n: 1, atMs: 1, status: 200, headers: {} };
  expect(read(HEADER, REQUEST, answer, chunk).requests).toMatchObject([{ posts: [{ chunks: [chunk] }] }]);
});

test.each([
  ['a place that is none', { places: [null] }],
  ['a format that nobody speaks', { endpoint: { ...HEADER.endpoint, format: 'other' } }],
  ['an address that is none', { endpoint: { ...HEADER.endpoint, baseUrl: 'x' } }],
  ['no provider', { provider: null }],
])('a first line with %s is damaged', (_name, change) => {
  expect(() => read({ ...HEADER, ...change })).toThrow(/its first line is damaged/);
});

test.each([
  ['messages that are a number', { ...REQUEST, messages: 5 }],
  ['text that is a number', { type: 'chunk', n: 1, atMs: 1, text: 5 }],
  ['no event', { type: 'event', n: 1, atMs: 1, event: null }],
  ['an event of no kind', { type: 'event', n: 1, atMs: 1, event: { type: 'constructor' } }],
  ['a delta without text', { type: 'event', n: 1, atMs: 1, event: { type: 'text_delta', index: 0 } }],
  ['a status that is none', { type: 'answer', n: 1, atMs: 1, status: 'ok', headers: {} }],
  ['a type of its own', { type: 'toString' }],
])('a line with %s is named by its number', (_name, line) => {
  expect(() => read(HEADER, REQUEST, line)).toThrow(/its line 3 is damaged/);
});
