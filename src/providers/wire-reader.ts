import { messageOf, type ProviderError, systemCodeOf } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { ModelEvent, Usage } from '../core/model.ts';
import { BodyTooLargeError } from '../host/http/sse.ts';

/** Reads the data lines of one streamed answer; the same for a recorded file and a live body. Exactly one last event comes out. */
export interface WireReader {
  /** `isForced`: only the end of the body made these data an event. They may be the first half of one. */
  read(data: string, isForced?: boolean): ModelEvent[];
  /** All that the format needs has come; whether more follows only the end of the body tells. */
  mayBeOver(): boolean;
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
  /** For a format without a terminal word: whether everything came that an answer has. */
  mayBeOver?(state: S): boolean;
  /** The body ended: what that means where the format has no terminal word. Null is failure. */
  atEnd?(state: S): ModelEvent[] | null;
}

/** A reader of one answer. */
export function createWireReader<S extends ReaderState>(format: WireFormat<S>, state: S): WireReader {
  const fail = (error: ProviderError): ModelEvent[] => failMessage(state, error, format.usageOf(state));
  const read = (data: string, isForced = false): ModelEvent[] => {
    if (state.isOver) return [];
    const event = parseEvent(data);
    if (event !== null) return format.readEvent(state, event);
    return format.readWord?.(state, data) ?? fail(isForced ? INCOMPLETE : protocolError('an event that is no JSON object'));
  };
  return {
    read,
    mayBeOver: () => !state.isOver && (format.mayBeOver?.(state) ?? false),
    end: () => (state.isOver ? [] : (format.atEnd?.(state) ?? fail(INCOMPLETE))),
    broken: (thrown, isAborted) => fail(isAborted ? ABORTED : breakOf(thrown)),
  };
}

/** Only what the system or the HTTP client names with a code is the connection's fault; the same bytes would throw the rest again. */
function breakOf(thrown: unknown): ProviderError {
  if (thrown instanceof BodyTooLargeError) return protocolError(thrown.message);
  const message = messageOf(thrown);
  return systemCodeOf(thrown) === null
    ? { kind: 'protocol', message: `The answer could not be read: ${message}.`, status: null }
    : { kind: 'incomplete', message: `The connection broke in mid-answer: ${message}.`, status: null };
}

const ABORTED: ProviderError = { kind: 'aborted', message: 'Interrupted.', status: null };

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
