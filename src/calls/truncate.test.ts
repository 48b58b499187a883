import { expect, test } from 'vitest';
import type { ImageBlock, TextBlock } from '../core/message.ts';
import { truncateResult } from './truncate.ts';

async function truncated(content: readonly (TextBlock | ImageBlock)[]) {
  const kept: string[] = [];
  const result = await truncateResult({ content, isError: false }, async (full) => {
    for await (const bytes of full) kept.push(Buffer.from(bytes).toString());
    return '/kept';
  });
  return { content: result.content, kept };
}

const text = (character: string, length: number): TextBlock => ({ type: 'text', text: character.repeat(length) });
const image = (length: number): ImageBlock => ({ type: 'image', mediaType: 'image/png', data: 'A'.repeat(length) });

test('many texts together are as long as one may be, and all of them are kept in one file', async () => {
  const blocks = [text('a', 60_000), image(10), text('b', 60_000), text('c', 60_000)];
  const { content, kept } = await truncated(blocks);
  expect(kept).toEqual([`${'a'.repeat(60_000)}\n${'b'.repeat(60_000)}\n${'c'.repeat(60_000)}`]);
  expect(content).toEqual([
    {
      type: 'text',
      text: `${'a'.repeat(60_000)}\n${'b'.repeat(19_999)}\n[… 90002 characters left out; all of it: /kept …]\n${'c'.repeat(10_000)}`,
    },
    image(10),
  ]);
});

test('what fits together stays as it is', async () => {
  const blocks = [text('a', 50_000), image(10), text('b', 50_000)];
  expect(await truncated(blocks)).toEqual({ content: blocks, kept: [] });
});

test('images are counted and weighed, and those left out are told', async () => {
  const many = await truncated(Array.from({ length: 100 }, () => image(10)));
  expect(many.content).toHaveLength(21);
  expect(many.content.at(-1)).toEqual({
    type: 'text',
    text: '[80 images left out: a result has at most 20, of 16 MB together]',
  });
  const large = await truncated(Array.from({ length: 5 }, () => image(6 * 1024 * 1024)));
  expect(large.content.filter(({ type }) => type === 'image')).toHaveLength(2);
});
