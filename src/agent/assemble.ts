import type { AssistantMessage, ReplayToken, ToolUseBlock } from '../core/message.ts';
import { GrowingText } from '../core/growing-text.ts';
import type { ModelEvent } from '../core/model.ts';
import type { ProviderError } from '../core/errors.ts';
import { NO_USAGE, type StopReason, type Usage } from '../core/model.ts';

type Block = AssistantMessage['content'][number];

/** A message as the stream left it. `error` is null where the provider gave its terminal word. */
export interface Reply {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason | null;
  readonly usage: Usage;
  readonly error: ProviderError | null;
  readonly isRetryable: boolean;
}

interface OpenBlock {
  type: 'text' | 'thinking' | 'tool_use' | 'opaque';
  readonly text: GrowingText;
  replay?: ReplayToken;
  call?: ToolUseBlock;
  wireId: string | null;
  name: string;
}

const SAFE_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** Joins the events of one response into a message. */
export class Assembler {
  readonly #source: { readonly provider: string; readonly model: string };
  readonly #usedIds: Set<string>;
  readonly #blocks = new Map<number, OpenBlock>();

  /** `usedIds` are the call ids of the session so far; new ones are added to it. */
  constructor(source: { readonly provider: string; readonly model: string }, usedIds: Set<string>) {
    this.#source = source;
    this.#usedIds = usedIds;
  }

  /** Takes an event. Returns a call when it is whole, and the reply when the message is over. */
  accept(event: ModelEvent): { readonly call: ToolUseBlock } | { readonly reply: Reply } | null {
    switch (event.type) {
      case 'message_start':
      case 'tool_unusable':
        return null;
      case 'text_delta':
        this.#block(event.index, 'text').text.add(event.text);
        return null;
      case 'thinking_delta':
        this.#block(event.index, 'thinking').text.add(event.text);
        return null;
      case 'tool_use_start': {
        const block = this.#block(event.index, 'tool_use');
        block.wireId = event.wireId;
        block.name = event.name;
        return null;
      }
      case 'tool_input_delta':
        this.#block(event.index, 'tool_use').text.add(event.json);
        return null;
      case 'tool_use':
        return { call: this.#finishCall(event) };
      case 'block_end':
        return this.#endBlock(event.index, event.replay);
      case 'opaque_block':
        this.#block(event.index, 'opaque').replay = event.replay;
        return null;
      case 'message_end':
        return {
          reply: {
            message: this.#message(event.state),
            stopReason: event.stopReason,
            usage: event.usage,
            error: null,
            isRetryable: false,
          },
        };
      case 'message_failed':
        return {
          reply: {
            message: this.#message('failed'),
            stopReason: null,
            usage: event.usage ?? NO_USAGE,
            error: event.error,
            isRetryable: event.retryable,
          },
        };
    }
  }

  #block(index: number, type: OpenBlock['type']): OpenBlock {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const block: OpenBlock = { type, text: new GrowingText(), wireId: null, name: '' };
    this.#blocks.set(index, block);
    return block;
  }

  #finishCall(event: Extract<ModelEvent, { type: 'tool_use' }>): ToolUseBlock {
    const block = this.#block(event.index, 'tool_use');
    const { name, input, malformedInput } = event;
    const id = this.#ownId(block.wireId);
    const call: ToolUseBlock = {
      type: 'tool_use',
      id,
      wireId: block.wireId,
      name,
      input,
      ...(malformedInput === undefined ? {} : { malformedInput }),
    };
    block.call = call;
    return call;
  }

  #endBlock(index: number, replay: ReplayToken | undefined): null {
    if (replay === undefined) return null;
    // A block of which only its signature came is thinking that the provider keeps to itself: content all the same.
    const block = this.#block(index, 'thinking');
    block.replay = replay;
    if (block.call !== undefined) block.call = { ...block.call, replay };
    return null;
  }

  /** The provider's id where it is safe and new in this session; else one of ours. Providers repeat theirs. */
  #ownId(wireId: string | null): string {
    let id = wireId !== null && SAFE_ID.test(wireId) ? wireId : '';
    for (let n = this.#usedIds.size + 1; id === '' || this.#usedIds.has(id); n++) id = `call_${n}`;
    this.#usedIds.add(id);
    return id;
  }

  #message(state: AssistantMessage['state']): AssistantMessage {
    const ordered = [...this.#blocks].toSorted(([a], [b]) => a - b);
    const content = ordered.flatMap(([, block]) => this.#finishBlock(block));
    return { role: 'assistant', content, state, ...this.#source };
  }

  #finishBlock(block: OpenBlock): Block[] {
    const text = String(block.text);
    const replay = block.replay === undefined ? {} : { replay: block.replay };
    switch (block.type) {
      case 'text':
        // Providers refuse blank text; some models send it between calls.
        if (text.trim() !== '') return [{ type: 'text', text, ...replay }];
        return block.replay === undefined ? [] : [{ type: 'opaque', replay: block.replay }];
      case 'thinking':
        return text === '' && block.replay === undefined ? [] : [{ type: 'thinking', text, ...replay }];
      case 'opaque':
        return block.replay === undefined ? [] : [{ type: 'opaque', replay: block.replay }];
      case 'tool_use': {
        if (block.call !== undefined) return [block.call];
        // The message ended inside this call: it is kept, so that the answer can say that it did not run.
        const id = this.#ownId(block.wireId);
        return [{ type: 'tool_use', id, wireId: block.wireId, name: block.name, input: null, malformedInput: text }];
      }
    }
  }
}
