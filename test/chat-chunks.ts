import { createChatReader } from '../src/providers/chat/reader.ts';
import { type ReadReply, readReply } from './read-reply.ts';

/** A chunk of a chat completion with this delta, as OpenAI shapes it. */
export function chunk(delta: object | null, more: { readonly finish?: string; readonly choice?: number } = {}): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'served',
    choices: [{ index: more.choice ?? 0, delta, finish_reason: more.finish ?? null }],
  };
}

/** A chunk with one fragment of a call. */
export function fragment(part: {
  readonly index?: number;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly json?: unknown;
  readonly extra?: object;
}): object {
  const called = { ...('name' in part ? { name: part.name } : {}), ...('json' in part ? { arguments: part.json } : {}) };
  return chunk({
    tool_calls: [
      {
        ...('index' in part ? { index: part.index } : {}),
        ...('id' in part ? { id: part.id } : {}),
        ...('extra' in part ? { extra_content: part.extra } : {}),
        function: called,
      },
    ],
  });
}

export const finish = (word: string): object => chunk({}, { finish: word });

/** Events as a server sends them; a string is sent as it is. */
export function sse(...events: readonly (object | string)[]): Buffer {
  const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return Buffer.from(lines.map((line) => `data: ${line}\n\n`).join(''));
}

export const DONE = '[DONE]';

/** What these events give, and the calls in short: wire id, name, input. */
export async function replyTo(
  events: readonly (object | string)[],
  toolNames: readonly string[] = [],
): Promise<ReadReply & { readonly calls: readonly unknown[] }> {
  const reply = await readReply(createChatReader('provider', 'model', toolNames), [sse(...events)]);
  const calls = reply.message.content.flatMap((block) =>
    block.type === 'tool_use' ? [[block.wireId, block.name, block.malformedInput ?? block.input]] : [],
  );
  return { ...reply, calls };
}
