import type { AssistantMessage } from '../core/message.ts';
import { type ModelEvent, NO_USAGE, type Provider } from '../core/model.ts';
import type { RecordedReply } from './replay-script.ts';

/** A model that says what it said in a session, in order, whatever it is asked. Call ids stay what they were. */
export function replayModel(replies: readonly RecordedReply[]): Provider {
  const rest = [...replies];
  return {
    id: 'replay',
    marksCallEnd: true,
    seesImages: true,
    // What looks like a call in its text was looked at when it was recorded.
    readsCallsFromText: true,
    async *stream() {
      const next = rest.shift();
      if (next === undefined) yield failed('The session holds no further answer of the model.');
      else yield* eventsOf(next);
    },
  };
}

function* eventsOf({ message, stopReason }: RecordedReply): Generator<ModelEvent> {
  yield { type: 'message_start', model: message.model };
  for (const [index, block] of message.content.entries()) yield* blockEvents(index, block);
  if (message.state === 'failed') yield failed('The answer broke off in the session, too.');
  else yield { type: 'message_end', state: message.state, stopReason, rawStop: stopReason, usage: NO_USAGE };
}

function* blockEvents(index: number, block: AssistantMessage['content'][number]): Generator<ModelEvent> {
  switch (block.type) {
    case 'opaque':
      yield { type: 'opaque_block', index, replay: block.replay };
      return;
    case 'text':
    case 'thinking':
      yield { type: block.type === 'text' ? 'text_delta' : 'thinking_delta', index, text: block.text };
      break;
    case 'tool_use': {
      const { id, name, input, malformedInput } = block;
      yield { type: 'tool_use_start', index, wireId: id, name };
      yield { type: 'tool_use', index, name, input, ...(malformedInput === undefined ? {} : { malformedInput }) };
    }
  }
  yield { type: 'block_end', index, ...(block.replay === undefined ? {} : { replay: block.replay }) };
}

function failed(message: string): ModelEvent {
  return { type: 'message_failed', error: { kind: 'not_recorded', message, status: null }, retryable: false };
}
