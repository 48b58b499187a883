import type { ServerResponse } from 'node:http';
import { geminiFaults } from '../../src/providers/gemini/check.ts';
import { startLoopback } from './http-frame.ts';

/** One response of the server: parts to stream, or an HTTP error, or a stream that breaks. */
export interface GeminiReply {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args?: unknown; readonly id?: string }[];
  /** Stands on the first call, or on an empty text part at the end. */
  readonly signature?: string;
  /** Default: STOP. */
  readonly finishReason?: string;
  /** In place of any candidate. */
  readonly blockReason?: string;
  readonly status?: number;
  readonly error?: { readonly status: string; readonly message: string };
  /** Ends the connection after so many chunks. */
  readonly dropAfter?: number;
}

/** A request as the server got it. */
export interface GeminiRequest {
  readonly systemInstruction?: unknown;
  readonly contents: readonly {
    readonly role: string;
    readonly parts: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly tools?: readonly unknown[];
}

export interface GeminiServer {
  /** With the version, as a base URL. */
  readonly url: string;
  readonly requests: readonly GeminiRequest[];
  readonly paths: readonly string[];
  /** What a real server would have refused in any request. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

type Script = readonly (GeminiReply | ((request: GeminiRequest) => GeminiReply))[];

/** A server on loopback that speaks Gemini's streamGenerateContent and refuses a broken request with 400. After the script it says "done". */
export async function startGeminiServer(script: Script): Promise<GeminiServer> {
  const requests: GeminiRequest[] = [];
  const paths: string[] = [];
  const faults: string[] = [];
  const server = await startLoopback(async (request, response) => {
    const { path, headers } = request;
    const body = request.body as GeminiRequest;
    const step = script[requests.length] ?? { text: 'done' };
    requests.push(body);
    paths.push(path);
    const found = [
      ...(headers['x-goog-api-key'] === undefined ? ['no x-goog-api-key'] : []),
      ...geminiFaults(body, /models\/([^:]+):/.exec(path)?.[1]),
    ];
    faults.push(...found);
    const refusal = { status: 400, error: { status: 'INVALID_ARGUMENT', message: found.join('; ') } };
    const reply = typeof step === 'function' ? step(body) : step;
    await send(response, found.length > 0 ? refusal : reply, requests.length);
  });
  return { url: `${server.url}/v1beta`, requests, paths, faults, close: server.close };
}

async function send(response: ServerResponse, reply: GeminiReply, turn: number): Promise<void> {
  const error = { code: reply.status ?? 500, ...(reply.error ?? { status: 'INTERNAL', message: 'no reason' }) };
  if (reply.status !== undefined && reply.status !== 200) {
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    // An error of a streamed method comes as an array. Source: google-gemini/gemini-cli#3814
    response.end(JSON.stringify([{ error }]));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunks = reply.error === undefined ? chunksOf(reply, turn) : [...chunksOf(reply, turn).slice(0, -1), { error }];
  for (const [i, chunk] of chunks.entries()) {
    if (i === reply.dropAfter) {
      // What was written reaches the client first.
      await new Promise((resolve) => response.write(': the end\n\n', resolve));
      response.socket?.end();
      return;
    }
    response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  }
  response.end();
}

type Part = Readonly<Record<string, unknown>>;

/** Text in pieces, each call whole, the last word on a chunk of its own. */
function chunksOf(reply: GeminiReply, turn: number): object[] {
  const usageMetadata = {
    promptTokenCount: 10,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 7,
    cachedContentTokenCount: 4,
    totalTokenCount: 37,
  };
  const envelope = { usageMetadata, modelVersion: 'loopback', responseId: `response_${turn}` };
  if (reply.blockReason !== undefined) return [{ promptFeedback: { blockReason: reply.blockReason }, ...envelope }];
  const chunk = (parts: readonly Part[], more: object = {}): object => ({
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
    ...envelope,
  });
  return [
    ...partsOf(reply).map((part) => chunk([part])),
    chunk([{ text: '', ...(reply.calls === undefined ? signed(reply) : {}) }], { finishReason: reply.finishReason ?? 'STOP' }),
  ];
}

function partsOf(reply: GeminiReply): Part[] {
  return [
    ...pieces(reply.thought ?? '').map((text) => ({ text, thought: true })),
    ...pieces(reply.text ?? '').map((text) => ({ text })),
    ...(reply.calls ?? []).map((functionCall, i) => ({ functionCall, ...(i === 0 ? signed(reply) : {}) })),
  ];
}

function signed({ signature }: GeminiReply): Part {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
