import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicFaults, type WireRequest } from '../../src/providers/anthropic/check.ts';

/** One response of the server: blocks to stream, or an HTTP error, or a stream that breaks. */
export interface WireReply {
  /** Streamed before everything else, with this signature. */
  readonly thinking?: { readonly text: string; readonly signature: string };
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input?: unknown; readonly json?: string }[];
  readonly stopReason?: string;
  readonly status?: number;
  readonly error?: { readonly type: string; readonly message: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection after so many events. */
  readonly dropAfter?: number;
  /** Sends these bytes as the body. */
  readonly raw?: string;
  /** Waits for this before the last event. */
  readonly holdUntil?: Promise<void>;
}

export interface AnthropicServer {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** What a real server would have refused in any request. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

type Script = readonly (WireReply | ((request: WireRequest) => WireReply))[];

/** A server on loopback that speaks Anthropic Messages and refuses a broken conversation with 400. After the script it says "done". */
export async function startAnthropicServer(script: Script): Promise<AnthropicServer> {
  const requests: WireRequest[] = [];
  const faults: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = asBlocks(JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest);
    const step = script[requests.length] ?? { text: 'done' };
    requests.push(body);
    const found = anthropicFaults(body);
    faults.push(...found);
    const reply: WireReply =
      found.length > 0
        ? { status: 400, error: { type: 'invalid_request_error', message: found.join('; ') } }
        : typeof step === 'function'
          ? step(body)
          : step;
    await send(response, reply, requests.length);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A text in place of blocks is one block of text. Source: Anthropic, Messages API, messages.content */
function asBlocks(body: WireRequest): WireRequest {
  const messages = body.messages.map(({ content, ...message }) => ({
    ...message,
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  }));
  return { ...body, messages };
}

async function send(response: ServerResponse, reply: WireReply, turn: number): Promise<void> {
  if (reply.status !== undefined && reply.status !== 200) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ type: 'error', error: reply.error ?? { type: 'api_error', message: 'no reason' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  if (reply.raw !== undefined) {
    response.end(reply.raw);
    return;
  }
  const events = eventsOf(reply, turn);
  for (const [i, event] of events.entries()) {
    if (i === reply.dropAfter) {
      // What was written reaches the client first.
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.destroy();
      return;
    }
    if (i === events.length - 1) await reply.holdUntil;
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function eventsOf(reply: WireReply, turn: number): Record<string, unknown>[] {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const events: Record<string, unknown>[] = [
    {
      type: 'message_start',
      message: {
        id: `msg_${turn}`,
        type: 'message',
        role: 'assistant',
        model: 'loopback',
        content: [],
        stop_reason: null,
        usage,
      },
    },
    { type: 'ping' },
  ];
  let index = 0;
  const block = (start: object, deltas: object[]): void => {
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index: index++ });
  };
  if (reply.thinking !== undefined)
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(reply.thinking.text).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: reply.thinking.signature },
    ]);
  if (reply.text !== undefined)
    block(
      { type: 'text', text: '' },
      pieces(reply.text).map((text) => ({ type: 'text_delta', text })),
    );
  for (const [i, call] of (reply.calls ?? []).entries()) {
    const json = call.json ?? JSON.stringify(call.input ?? {});
    const fragments = ['', ...pieces(json)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    block({ type: 'tool_use', id: `toolu_${turn}_${i}`, name: call.name, input: {} }, fragments);
  }
  const stop_reason = reply.stopReason ?? (reply.calls === undefined ? 'end_turn' : 'tool_use');
  events.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  );
  return events;
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

/** A script for several conversations at once: each is known by its first words, and has replies of its own. */
export function routed(scripts: Readonly<Record<string, readonly WireReply[]>>): Script {
  const left = new Map(Object.entries(scripts).map(([prompt, replies]) => [prompt, [...replies]]));
  const answer = (request: WireRequest): WireReply => {
    const first = JSON.stringify(request.messages[0]?.content);
    const prompt = [...left.keys()].find((key) => first.includes(`"${key}"`));
    return left.get(prompt ?? '')?.shift() ?? { text: `no reply for ${first}` };
  };
  return Array.from({ length: 100 }, () => answer);
}
