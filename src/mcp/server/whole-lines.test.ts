import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { WholeLines } from './whole-lines.ts';

async function through(pieces: readonly string[], maxBytes: number): Promise<readonly string[]> {
  const lines = Readable.from(pieces.map((piece) => Buffer.from(piece))).pipe(new WholeLines(maxBytes));
  const out: string[] = [];
  lines.on('data', (piece: Buffer) => out.push(String(piece)));
  await new Promise((resolve) => lines.once('end', resolve));
  return out;
}

test('a line comes in one piece however many it was sent in, and what is left at the end comes too', async () => {
  expect(await through(['ab', 'c', 'd\ne', 'f', '\n', 'g\nh\n', 'i'], 100)).toEqual(['abcd\n', 'ef\n', 'g\nh\n', 'i']);
});

test('a line that is too long is not kept', async () => {
  expect(await through(['abc', 'def', 'g', '\nh\n'], 5)).toEqual(['abcdef', 'g\nh\n']);
});
