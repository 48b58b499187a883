import type { ImageBlock, TextBlock } from '../core/message.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';

const MAX_CHARS = 100_000;
const HEAD_CHARS = 80_000;
const TAIL_CHARS = 10_000;

/** The one layer that bounds what goes to a model. A longer text is kept in a file, whose path the mark gives. An empty answer says so in words. */
export async function truncateResult(
  result: ToolResult,
  spill: (full: AsyncIterable<Uint8Array>) => Promise<string>,
): Promise<ToolResult> {
  const content: (TextBlock | ImageBlock)[] = [];
  for (const block of result.content) {
    if (block.type === 'image') content.push(block);
    else if (block.text !== '') content.push({ type: 'text', text: await boundedText(block.text, spill) });
  }
  if (content.length > 0) return { ...result, content };
  return result.isError
    ? fail('The tool failed without a word.', result.metadata)
    : { ...result, content: [{ type: 'text', text: 'Done; no output.' }] };
}

async function boundedText(text: string, spill: (full: AsyncIterable<Uint8Array>) => Promise<string>): Promise<string> {
  if (text.length <= MAX_CHARS) return text.toWellFormed();
  const path = await spill(bytesOf(text));
  const head = text.slice(0, HEAD_CHARS).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-TAIL_CHARS).replace(/^[\udc00-\udfff]/, '');
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out; all of it: ${path} …]\n${tail}`.toWellFormed();
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text.toWellFormed(), 'utf8');
}
