import type { Reply } from '../src/agent/assemble.ts';
import { estimateBlockTokens } from '../src/core/token-estimate.ts';
import { createAnthropicReader } from '../src/providers/anthropic/reader.ts';
import { createChatReader } from '../src/providers/chat/reader.ts';
import { createGeminiReader } from '../src/providers/gemini/reader.ts';
import { createResponsesReader } from '../src/providers/responses/reader.ts';
import { readReply } from '../test/read-reply.ts';
import { recordedStreams, sseBytesOf } from '../test/recorded-streams.ts';

// How far the estimate of tokens is from what providers billed: the output tokens of recorded streams, without reasoning, beside text and calls.
const READERS = {
  'anthropic-messages': createAnthropicReader,
  'openai-chat': createChatReader,
  'openai-responses': createResponsesReader,
  gemini: createGeminiReader,
} as const;

interface Measured {
  readonly file: string;
  readonly billed: number;
  readonly estimated: number;
}

const shares: number[] = [];
let found = 0;
for (const [dialect, createReader] of Object.entries(READERS)) {
  const streams = recordedStreams(dialect);
  if (streams === null) {
    console.log('Skipped: the recorded streams are not here; they belong to other projects.');
    break;
  }
  const measured: Measured[] = [];
  for (const stream of streams.filter(({ file }) => !file.startsWith('authored/'))) {
    const row = measure(stream.file, await readReply(createReader('provider', 'model'), [sseBytesOf(stream)]));
    if (row !== null) measured.push(row);
  }
  found += streams.length;
  shares.push(...measured.map(errorOf));
  report(dialect, measured.map(errorOf), streams.length);
  if (process.argv.includes('--each'))
    for (const { file, billed, estimated } of measured) console.log(`  ${file}: billed ${billed}, estimated ${estimated}`);
}
if (shares.length > 0) report('all', shares, found);

/** Null where what was billed cannot be told from what is seen: no usage, a broken stream, or content that is hidden. */
function measure(file: string, { message, usage, error }: Reply): Measured | null {
  const billed = usage.outputTokens - (usage.reasoningTokens ?? 0);
  // Reasoning that is not counted apart is in the bill, and its text in the message.
  const seen = message.content.filter((block) => block.type !== 'thinking' || usage.reasoningTokens === null);
  if (error !== null || billed <= 0 || seen.length === 0 || seen.some(({ type }) => type === 'opaque')) return null;
  return { file, billed, estimated: seen.reduce((sum, block) => sum + tokensOf(block), 0) };
}

/** Without signatures: they are not billed as output. */
function tokensOf(block: Reply['message']['content'][number]): number {
  if (block.type === 'opaque') return 0;
  const { replay: _none, ...content } = block;
  return estimateBlockTokens(content);
}

function errorOf({ billed, estimated }: Measured): number {
  return (estimated - billed) / billed;
}

function report(name: string, errors: readonly number[], of: number): void {
  const sizes = errors.map(Math.abs).toSorted((a, b) => a - b);
  const at = (share: number): string => percent(sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))] ?? 0);
  const signed = errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)] ?? 0;
  console.log(
    `${name.padEnd(20)} ${String(errors.length).padStart(2)} of ${of} streams  median error ${at(0.5)}  90 % within ${at(0.9)}  median bias ${percent(signed)}`,
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
