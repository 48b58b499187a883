import { type ChatCheckRules, chatFaults } from '../../src/providers/chat/check.ts';
import { type LoopbackRequest, sendError, sendEvents, startLoopback } from './http-frame.ts';

/** A message as the wire has it. */
export interface ChatWireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly [field: string]: unknown;
}

/** A request as the server got it. */
export interface ChatWireRequest extends LoopbackRequest {
  readonly body: { readonly model: string; readonly messages: readonly ChatWireMessage[]; readonly [field: string]: unknown };
}

/** One response of the server: a message to stream, an HTTP error, or a stream that breaks. */
export interface ChatReply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input?: unknown; readonly json?: string }[];
  readonly finishReason?: string;
  readonly status?: number;
  readonly error?: { readonly code?: string; readonly type?: string; readonly message: string };
  /** Ends the connection after so many events. */
  readonly dropAfter?: number;
  /** Sends these as the data of the events. */
  readonly raw?: readonly string[];
  /** Waits for this before the last event. */
  readonly holdUntil?: Promise<void>;
}

export interface ChatServer {
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly ChatWireRequest[];
  /** What a strict server would have refused in any request. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

type Script = readonly (ChatReply | ((request: ChatWireRequest) => ChatReply))[];

/** A server on loopback that speaks chat completions and refuses a broken request with 400. After the script it says "done". */
export async function startChatServer(script: Script, rules: ChatCheckRules = {}): Promise<ChatServer> {
  const requests: ChatWireRequest[] = [];
  const faults: string[] = [];
  const { url, close } = await startLoopback(async (received, response) => {
    const request = received as ChatWireRequest;
    const step = script[requests.length] ?? { text: 'done' };
    requests.push(request);
    const found = chatFaults(request.body, rules);
    faults.push(...found);
    if (found.length > 0) return sendError(response, 400, { type: 'invalid_request_error', message: found.join('; ') });
    const reply = typeof step === 'function' ? step(request) : step;
    if (reply.status !== undefined) return sendError(response, reply.status, reply.error ?? { message: 'no reason' });
    await sendEvents(response, { ...reply, events: reply.raw ?? eventsOf(reply, requests.length) });
  });
  return { baseUrl: `${url}/v1`, requests, faults, close };
}

/** In OpenAI's order: the role, the content, the fragments of each call, the finish reason, the usage, and the last word. */
function eventsOf(reply: ChatReply, turn: number): string[] {
  const head = { id: `chatcmpl-${turn}`, object: 'chat.completion.chunk', created: 1, model: 'loopback' };
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
  });
  const events = [
    chunk({ role: 'assistant', content: reply.calls === undefined ? '' : null, refusal: null }),
    ...pieces(reply.reasoning).map((reasoning_content) => chunk({ reasoning_content })),
    ...pieces(reply.text).map((content) => chunk({ content })),
    ...fragmentsOf(reply, turn).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, reply.finishReason ?? (reply.calls === undefined ? 'stop' : 'tool_calls')),
    { ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ];
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'];
}

function fragmentsOf({ calls }: ChatReply, turn: number): object[] {
  return (calls ?? []).flatMap(({ id, name, input, json }, index) => [
    { index, id: id ?? `call_${turn}_${index}`, type: 'function', function: { name, arguments: '' } },
    ...pieces(json ?? JSON.stringify(input ?? {})).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
}

function pieces(text = ''): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
