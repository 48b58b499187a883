import type { ImageBlock, TextBlock } from '../core/message.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';

const MAX_CHARS = 100_000;
const HEAD_CHARS = 80_000;
const TAIL_CHARS = 10_000;
const MAX_IMAGES = 20;
const MAX_IMAGE_CHARS = 16 * 1024 * 1024;

type Block = TextBlock | ImageBlock;
type Spill = (full: AsyncIterable<Uint8Array>) => Promise<string>;

/**
 * The one layer that bounds what goes to a model, all blocks of a result together. A longer text is kept in a file, whose path the mark
 * gives. An empty answer says so in words.
 */
export async function truncateResult(result: ToolResult, spill: Spill): Promise<ToolResult> {
  const blocks = result.content.filter((block) => block.type === 'image' || block.text !== '');
  const content = await boundedTexts(boundedImages(blocks), spill);
  if (content.length > 0) return { ...result, content };
  return result.isError
    ? fail('The tool failed without a word.', result.metadata)
    : { ...result, content: [{ type: 'text', text: 'Done; no output.' }] };
}

/** The first images as far as they go, and a word on the others. */
function boundedImages(blocks: readonly Block[]): readonly Block[] {
  const kept: Block[] = [];
  let images = 0;
  let chars = 0;
  let left = 0;
  for (const block of blocks) {
    const size = block.type === 'image' ? block.data.length : 0;
    const isKept = block.type === 'text' || (images < MAX_IMAGES && chars + size <= MAX_IMAGE_CHARS);
    if (!isKept) left++;
    else {
      kept.push(block);
      chars += size;
      if (block.type === 'image') images++;
    }
  }
  if (left === 0) return kept;
  const note = `[${left} images left out: a result has at most ${MAX_IMAGES}, of ${MAX_IMAGE_CHARS / 1024 / 1024} MB together]`;
  return [...kept, { type: 'text', text: note }];
}

/** Texts that are too long together become one, where the first of them stood. */
async function boundedTexts(blocks: readonly Block[], spill: Spill): Promise<readonly Block[]> {
  const texts = blocks.filter((block) => block.type === 'text').map(({ text }) => text);
  if (texts.reduce((chars, text) => chars + text.length, 0) <= MAX_CHARS)
    return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: block.text.toWellFormed() } : block));
  const text = await boundedText(texts.join('\n'), spill);
  const first = blocks.findIndex((block) => block.type === 'text');
  return blocks.flatMap((block, at): readonly Block[] => {
    if (block.type === 'image') return [block];
    return at === first ? [{ type: 'text', text }] : [];
  });
}

async function boundedText(text: string, spill: Spill): Promise<string> {
  const path = await spill(bytesOf(text));
  const head = text.slice(0, HEAD_CHARS).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-TAIL_CHARS).replace(/^[\udc00-\udfff]/, '');
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out; all of it: ${path} …]\n${tail}`.toWellFormed();
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text.toWellFormed(), 'utf8');
}
