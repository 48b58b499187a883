// A provider of one's own: any source of text and calls, given as one stream of events. This one is no model at all.
import {
  collectRun,
  createAgent,
  createMemoryBackend,
  type ModelEvent,
  type ModelRequest,
  NO_USAGE,
  type Provider,
  textOf,
} from 'wield';

/** Counts the lines of a file that is named in the prompt: first a call, then what it came to. */
export const lineCounter: Provider = {
  id: 'line-counter',
  // It marks where a call is whole, so a read may start while its message still comes.
  marksCallEnd: true,
  seesImages: false,
  async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    yield { type: 'message_start', model: 'line-counter' };
    const [first] = messages.at(-1)?.content ?? [];
    if (first?.type === 'tool_result') yield* say(`${textOf(first.content).split('\n').length} lines.`);
    else yield* read(first?.type === 'text' ? (/\S+\.\w+/.exec(first.text)?.[0] ?? '') : '');
  },
};

function* say(text: string): Generator<ModelEvent> {
  yield { type: 'text_delta', index: 0, text };
  yield { type: 'block_end', index: 0 };
  yield { type: 'message_end', state: 'complete', stopReason: 'end_turn', rawStop: 'end', usage: NO_USAGE };
}

function* read(path: string): Generator<ModelEvent> {
  yield { type: 'tool_use_start', index: 0, wireId: null, name: 'ReadFile' };
  yield { type: 'tool_use', index: 0, name: 'ReadFile', input: { path } };
  yield { type: 'block_end', index: 0 };
  yield { type: 'message_end', state: 'complete', stopReason: 'tool_use', rawStop: 'calls', usage: NO_USAGE };
}

/** Asks the provider about a file that is only in memory. */
export async function countLines(): Promise<string> {
  const backend = createMemoryBackend({ files: { 'poem.txt': 'one\ntwo\nthree\n' } });
  await using agent = createAgent({ provider: lineCounter, backend });
  const { text } = await collectRun(agent.run('How long is /project/poem.txt?'));
  return text;
}

if (import.meta.main) console.log(await countLines());
