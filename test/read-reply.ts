import { Assembler, type Reply } from '../src/agent/assemble.ts';
import type { ModelEvent } from '../src/core/model.ts';
import { readSse } from '../src/host/http/sse.ts';
import type { WireReader } from '../src/providers/wire-reader.ts';
import type { RecordedStream } from './recorded-streams.ts';

/** What a stream gave: the reply, the calls that became whole, and how many last events there were. */
export type ReadReply = Reply & { readonly started: readonly string[]; readonly finalEvents: number };

/** Reads bytes that come in these pieces into a reply, as a provider does. */
export async function readReply(reader: WireReader, pieces: Iterable<Uint8Array>): Promise<ReadReply> {
  const assembler = new Assembler({ provider: 'provider', model: 'model' }, new Set());
  const started: string[] = [];
  let reply: Reply | null = null;
  let finalEvents = 0;
  const take = (events: readonly ModelEvent[]): void => {
    for (const event of events) {
      if (event.type === 'message_end' || event.type === 'message_failed') finalEvents++;
      const step = assembler.accept(event);
      if (step !== null && 'call' in step) started.push(JSON.stringify([step.call.wireId, step.call.name, step.call.input]));
      if (step !== null && 'reply' in step) reply = step.reply;
    }
  };
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  for await (const events of readSse(body())) for (const { data, isForced } of events) take(reader.read(data, isForced));
  take(reader.end());
  if (reply === null) throw new Error('no reply');
  return { ...(reply as Reply), started, finalEvents };
}

function stopOf(reply: Reply): string {
  if (reply.error !== null) return 'error';
  return reply.stopReason === 'context_overflow' ? 'context_window' : (reply.stopReason ?? 'none');
}

/** What both sides can be compared by. */
export function shapeOf(reply: Reply): unknown {
  const blocks = reply.message.content.map((block) => {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text };
      case 'thinking':
        return { type: 'thinking', text: block.text };
      case 'tool_use': {
        const whole = block.malformedInput === undefined;
        return { type: 'tool_use', id: block.wireId, name: block.name, input: whole ? block.input : null, complete: whole };
      }
      case 'opaque':
        return { type: 'opaque' };
    }
  });
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = reply.usage;
  return {
    blocks,
    stop: stopOf(reply),
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_read_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
    },
  };
}

export function expectedShape({ expected }: RecordedStream): unknown {
  const blocks = expected.blocks.map((block) => {
    if (block.type === 'text' || block.type === 'thinking') return { type: block.type, text: block.text };
    if (block.type !== 'tool_use') return { type: 'opaque' };
    return { type: 'tool_use', id: block.id, name: block.name, input: block.input, complete: block.complete };
  });
  const { reasoning_tokens: _none, ...usage } = (expected.usage ?? {}) as Record<string, unknown>;
  return { blocks, stop: expected.stop_reason, usage };
}

export function piecesOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
