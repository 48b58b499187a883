import type { ServerResponse } from 'node:http';
import { responsesFaults } from '../../src/providers/responses/check.ts';
import { startLoopback } from './http-frame.ts';

/** One response of the server: items to stream, or an HTTP error, or a stream that breaks. */
export interface ResponsesReply {
  /** Streamed as a summary; `sealed` is its encrypted_content. */
  readonly reasoning?: { readonly summary: string; readonly sealed: string };
  readonly text?: string;
  readonly phase?: 'commentary' | 'final_answer';
  readonly calls?: readonly { readonly name: string; readonly input?: unknown; readonly json?: string }[];
  /** Ends as `response.incomplete` for this reason. */
  readonly incomplete?: string;
  readonly status?: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** Ends the connection after so many events. */
  readonly dropAfter?: number;
}

/** A request as the server got it. */
export interface ResponsesRequest {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly { readonly name: string }[];
}

export interface ResponsesServer {
  /** With /v1, as a base URL. */
  readonly url: string;
  readonly requests: readonly ResponsesRequest[];
  readonly paths: readonly string[];
  /** What a real server would have refused in any request. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

type Script = readonly (ResponsesReply | ((request: ResponsesRequest) => ResponsesReply))[];

/** A server on loopback that speaks OpenAI Responses and refuses a broken request with 400. After the script it says "done". */
export async function startResponsesServer(script: Script): Promise<ResponsesServer> {
  const requests: ResponsesRequest[] = [];
  const paths: string[] = [];
  const faults: string[] = [];
  const server = await startLoopback(async (request, response) => {
    const { path } = request;
    const body = asItems(request.body as ResponsesRequest);
    const step = script[requests.length] ?? { text: 'done' };
    requests.push(body);
    paths.push(path);
    const found = responsesFaults(body);
    faults.push(...found);
    const refusal = { status: 400, error: { code: 'invalid_request_error', message: found.join('; ') } };
    const reply = typeof step === 'function' ? step(body) : step;
    await send(response, found.length > 0 ? refusal : reply, requests.length);
  });
  return { url: `${server.url}/v1`, requests, paths, faults, close: server.close };
}

/** An easy message is an item of that type, and its text one part. Source: OpenAI, Responses API, EasyInputMessage */
function asItems(body: ResponsesRequest): ResponsesRequest {
  const input = body.input.map(({ type = 'message', content, ...item }) => ({
    ...item,
    type,
    ...(content === undefined
      ? {}
      : { content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : content }),
  }));
  return { ...body, input };
}

async function send(response: ServerResponse, reply: ResponsesReply, turn: number): Promise<void> {
  if (reply.status !== undefined && reply.status !== 200) {
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: reply.error ?? { code: 'server_error', message: 'no reason' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [i, event] of eventsOf(reply, turn).entries()) {
    if (i === reply.dropAfter) {
      // What was written reaches the client first.
      await new Promise((resolve) => response.write(': the end\n\n', resolve));
      response.socket?.end();
      return;
    }
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify({ ...event, sequence_number: i })}\n\n`);
  }
  response.end();
}

type Event = Readonly<Record<string, unknown>>;

function eventsOf(reply: ResponsesReply, turn: number): Event[] {
  const response = { id: `resp_${turn}`, object: 'response', model: 'loopback', output: [], error: null, usage: null };
  const started = { ...response, status: 'in_progress' };
  const items = [
    ...(reply.reasoning === undefined ? [] : [reasoningEvents(reply.reasoning, `rs_${turn}`)]),
    ...(reply.text === undefined ? [] : [messageEvents(reply.text, { id: `msg_${turn}`, phase: reply.phase })]),
    ...(reply.calls ?? []).map((call, i) => callEvents(call, `${turn}_${i}`)),
  ];
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items.flatMap((events, output_index) => events.map((event) => ({ ...event, output_index }))),
    // Its end holds the whole response once more.
    endOf(reply, { ...response, output: items.map((events) => events.at(-1)?.['item']) }),
  ];
}

function endOf({ incomplete, error }: ResponsesReply, response: object): Event {
  if (error !== undefined) return { type: 'response.failed', response: { ...response, status: 'failed', error } };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 7 },
    total_tokens: 30,
  };
  if (incomplete === undefined) return { type: 'response.completed', response: { ...response, status: 'completed', usage } };
  const incomplete_details = { reason: incomplete };
  return { type: 'response.incomplete', response: { ...response, status: 'incomplete', incomplete_details, usage } };
}

function itemEvents(item: object, inner: readonly Event[], done: object): Event[] {
  return [
    { type: 'response.output_item.added', item: { ...item, ...('status' in done ? { status: 'in_progress' } : {}) } },
    ...inner,
    { type: 'response.output_item.done', item: { ...item, ...done } },
  ];
}

function reasoningEvents({ summary, sealed }: { readonly summary: string; readonly sealed: string }, id: string): Event[] {
  const place = { item_id: id, summary_index: 0 };
  const part = { type: 'summary_text', text: summary };
  return itemEvents(
    { id, type: 'reasoning', summary: [], encrypted_content: 'early' },
    [
      { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(summary).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
      { type: 'response.reasoning_summary_text.done', ...place, text: summary },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ],
    { summary: [part], encrypted_content: sealed },
  );
}

function messageEvents(text: string, { id, phase }: { readonly id: string; readonly phase: string | undefined }): Event[] {
  const place = { item_id: id, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return itemEvents(
    { id, type: 'message', role: 'assistant', content: [], ...(phase === undefined ? {} : { phase }) },
    [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text },
      { type: 'response.content_part.done', ...place, part },
    ],
    { content: [part], status: 'completed' },
  );
}

function callEvents(call: NonNullable<ResponsesReply['calls']>[number], suffix: string): Event[] {
  const json = call.json ?? JSON.stringify(call.input ?? {});
  const id = `fc_${suffix}`;
  return itemEvents(
    { id, type: 'function_call', call_id: `call_${suffix}`, name: call.name, arguments: '' },
    [
      ...pieces(json).map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: id, delta })),
      { type: 'response.function_call_arguments.done', item_id: id, arguments: json },
    ],
    { arguments: json, status: 'completed' },
  );
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
