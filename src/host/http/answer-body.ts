import type { HttpAnswer } from './http-answer.ts';

/** A body whose beginning was looked at: `head` is its first text, without blanks before it; empty where the body is. */
export interface OpenBody {
  readonly head: string;
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_BLANK_BYTES = 65_536;
const MAX_TEXT_BYTES = 65_536;
const MAX_DRAIN_BYTES = 1_048_576;
const MAX_DRAIN_MS = 2_000;

/** Waits for the first bytes of a body. Errors: throws where the connection breaks before them. */
export async function openBody(response: HttpAnswer): Promise<OpenBody> {
  const chunks: AsyncIterator<Buffer> = response.iterator({ destroyOnReturn: false });
  const first: Buffer[] = [];
  let [head, size] = ['', 0];
  while (!isTelling(head) && size < MAX_BLANK_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    first.push(next.value);
    size += next.value.length;
    head = Buffer.concat(first).toString('utf8').trimStart();
  }
  return { head, body: bodyOf(first, chunks, response) };
}

/** The text of a body, up to a limit; what is beyond is not waited for. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_TEXT_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether the first text tells what the body is: a sign does, a word only when it is whole. */
function isTelling(head: string): boolean {
  return head !== '' && (!/^[a-z]{1,5}$/i.test(head) || head.length > 'retry'.length);
}

/** A reader that stops at the last word leaves the rest to be drained, so that the connection serves the next turn. */
async function* bodyOf(
  first: readonly Buffer[],
  chunks: AsyncIterator<Buffer>,
  response: HttpAnswer,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
    drain(response);
  }
}

/** A rest that does not end is not worth its connection. */
function drain(response: HttpAnswer): void {
  response.on('error', () => undefined);
  if (response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), MAX_DRAIN_MS).unref();
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DRAIN_BYTES) response.destroy();
  });
  response.on('close', () => clearTimeout(timer));
  response.resume();
}
