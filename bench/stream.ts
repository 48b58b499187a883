import { createParser } from 'eventsource-parser';
import { Assembler, type Reply } from '../src/agent/assemble.ts';
import { readSse } from '../src/host/http/sse.ts';
import { createAnthropicReader } from '../src/providers/anthropic/reader.ts';
import { createChatReader } from '../src/providers/chat/reader.ts';
import type { WireReader } from '../src/providers/wire-reader.ts';

// A tool call that comes in fragments of 20 bytes: that its assembly is linear, and what it costs beside the least that could be done.
const ROUNDS = Number(process.argv[2] ?? 5);
const FRAGMENT = 'abcdefghijklmnopqrst';
const MB = 1024 * 1024;
const CHUNK_BYTES = 16 * 1024;
const MAX_SPREAD = 1.15;
const MAX_RATIO = 1.5;

interface Dialect {
  readonly name: string;
  stream(fragments: number): string;
  reader(): WireReader;
  /** The fragment in an event. */
  fragmentOf(event: never): string | undefined;
}

const sse = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

function anthropicStream(fragments: number): string {
  const message = { id: 'm', model: 'm', content: [], stop_reason: null, usage: {} };
  const delta = (partial_json: string): string =>
    sse({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } });
  return [
    sse({ type: 'message_start', message }),
    sse({ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'WriteFile', input: {} } }),
    delta('{"content":"'),
    delta(FRAGMENT).repeat(fragments),
    delta('"}'),
    sse({ type: 'content_block_stop', index: 0 }),
    sse({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} }),
    sse({ type: 'message_stop' }),
  ].join('');
}

function chatStream(fragments: number): string {
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    sse({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason }] });
  const call = (json: string): string => chunk({ tool_calls: [{ index: 0, function: { arguments: json } }] });
  return [
    chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'WriteFile', arguments: '' } }] }),
    call('{"content":"'),
    call(FRAGMENT).repeat(fragments),
    call('"}'),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ].join('');
}

const DIALECTS: readonly Dialect[] = [
  {
    name: 'anthropic-messages',
    stream: anthropicStream,
    reader: () => createAnthropicReader('p', 'm'),
    fragmentOf: (event: { delta?: { partial_json?: string } }) => event.delta?.partial_json,
  },
  {
    name: 'openai-chat',
    stream: chatStream,
    reader: () => createChatReader('p', 'm'),
    fragmentOf: (event: { choices: { delta: { tool_calls?: { function: { arguments: string } }[] } }[] }) =>
      event.choices[0]?.delta.tool_calls?.[0]?.function.arguments,
  },
];

function* chunksOf(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function* bodyOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield* chunksOf(bytes);
}

async function assemble({ reader: create }: Dialect, bytes: Buffer): Promise<number> {
  const reader = create();
  const assembler = new Assembler({ provider: 'p', model: 'm' }, new Set());
  let reply: Reply | null = null;
  for await (const events of readSse(bodyOf(bytes))) {
    for (const { data } of events) {
      for (const event of reader.read(data)) {
        const step = assembler.accept(event);
        if (step !== null && 'reply' in step) reply = step.reply;
      }
    }
  }
  const [call] = reply?.message.content ?? [];
  return call?.type === 'tool_use' ? (call.input as { content: string }).content.length : -1;
}

/** eventsource-parser, JSON.parse and a string that grows. */
async function concatenate({ fragmentOf }: Dialect, bytes: Buffer): Promise<number> {
  let json = '';
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') json += fragmentOf(JSON.parse(data) as never) ?? '';
    },
  });
  for await (const chunk of bodyOf(bytes)) parser.feed(decoder.decode(chunk, { stream: true }));
  return (JSON.parse(json) as { content: string }).content.length;
}

async function cpuMs(work: () => Promise<number>, wanted: number): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const length = await work();
  const { user, system } = process.cpuUsage(before);
  if (length !== wanted) throw new Error(`${length} characters came, not ${wanted}`);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** What is compiled on the way is not the stream's. */
async function warmUp(dialect: Dialect): Promise<void> {
  const bytes = Buffer.from(dialect.stream(200_000));
  for (let round = 0; round < 3; round++) {
    await assemble(dialect, bytes);
    await concatenate(dialect, bytes);
  }
}

let hasFailed = false;
function judge(name: string, ratio: number, limit: number): void {
  if (ratio > limit) hasFailed = true;
  console.log(`${name.padEnd(66)} ${ratio.toFixed(2)} ×   ≤ ${limit} ×   ${ratio > limit ? 'FAIL' : 'PASS'}`);
}

for (const dialect of DIALECTS) {
  await warmUp(dialect);
  const perMb: number[] = [];
  for (const megabytes of [1, 2, 4, 8]) {
    const fragments = Math.floor((megabytes * MB) / FRAGMENT.length);
    const bytes = Buffer.from(dialect.stream(fragments));
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      times.push(await cpuMs(() => assemble(dialect, bytes), fragments * FRAGMENT.length));
    perMb.push(median(times) / megabytes);
  }
  console.log(`${dialect.name}, CPU per MB at 1, 2, 4, 8 MB: ${perMb.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
  // Each run has a fixed part, so a small one may cost more per MB; what must not be is that a large one does.
  judge(
    `${dialect.name}: a MB of 8 beside the cheapest of 1, 2, 4`,
    (perMb[3] ?? 0) / Math.min(...perMb.slice(0, 3)),
    MAX_SPREAD,
  );
  const fragments = Math.floor((20 * MB) / FRAGMENT.length);
  const bytes = Buffer.from(dialect.stream(fragments));
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await cpuMs(() => assemble(dialect, bytes), fragments * FRAGMENT.length);
    ratios.push(ours / (await cpuMs(() => concatenate(dialect, bytes), fragments * FRAGMENT.length)));
  }
  judge(`${dialect.name}: 20 MB beside eventsource-parser and a string`, median(ratios), MAX_RATIO);
}
process.exit(hasFailed ? 1 : 0);
