import { messageOf, type ProviderError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { ModelEvent, Usage } from '../core/model.ts';

/** Reads the data lines of one streamed answer; the same for a recorded file and a live body. Exactly one last event comes out. */
export interface WireReader {
  read(data: string): ModelEvent[];
  /** The body ended. Without the provider's terminal word the message has failed. */
  end(): ModelEvent[];
  /** The body threw. */
  broken(thrown: unknown, isAborted: boolean): ModelEvent[];
}

/** What the state of every wire format's reader has. */
export interface ReaderState {
  readonly provider: string;
  readonly model: string;
  isOver: boolean;
}

/** A wire format: pure functions of a state and an event. */
export interface WireFormat<S extends ReaderState> {
  readEvent(state: S, event: JsonObject): ModelEvent[];
  usageOf(state: S): Usage;
  /** Data that is no JSON, such as `[DONE]`; null where the format knows none. */
  readWord?(state: S, data: string): ModelEvent[] | null;
  /** The body ended: what that means where the format has no terminal word. Null is failure. */
  atEnd?(state: S): ModelEvent[] | null;
}

/** A reader of one answer. */
export function createWireReader<S extends ReaderState>(format: WireFormat<S>, state: S): WireReader {
  const fail = (error: ProviderError): ModelEvent[] => failMessage(state, error, format.usageOf(state));
  const read = (data: string): ModelEvent[] => {
    if (state.isOver) return [];
    const event = parseEvent(data);
    return event === null
      ? (format.readWord?.(state, data) ?? fail(protocolError('an event that is no JSON object')))
      : format.readEvent(state, event);
  };
  return {
    read,
    end: () => (state.isOver ? [] : (format.atEnd?.(state) ?? fail(INCOMPLETE))),
    broken: (thrown, isAborted) =>
      fail(
        isAborted
          ? { kind: 'aborted', message: 'Interrupted.', status: null }
          : { kind: 'incomplete', message: `The connection broke in mid-answer: ${messageOf(thrown)}.`, status: null },
      ),
  };
}

const INCOMPLETE: ProviderError = {
  kind: 'incomplete',
  message: 'The connection ended before the answer was complete.',
  status: null,
};

const RETRYABLE = new Set<ProviderError['kind']>(['overloaded', 'rate_limit', 'server', 'incomplete', 'malformed_call']);

/** Ends the message as failed, once. */
export function failMessage(state: ReaderState, error: ProviderError, usage: Usage): ModelEvent[] {
  if (state.isOver) return [];
  state.isOver = true;
  return [{ type: 'message_failed', error, retryable: RETRYABLE.has(error.kind), usage }];
}

export function protocolError(what: string): ProviderError {
  return { kind: 'protocol', message: `The server sent ${what}.`, status: null };
}

function parseEvent(data: string): JsonObject | null {
  try {
    const event: unknown = JSON.parse(data);
    return isJsonObject(event) ? event : null;
  } catch {
    return null;
  }
}
