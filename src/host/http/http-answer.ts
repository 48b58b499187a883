import type { CarriedAnswer } from '../../core/model.ts';

/** An answer as it comes: of the network, or of whoever carries posts in its place. */
export type HttpAnswer = import('node:stream').Readable & Pick<import('node:http').IncomingMessage, 'statusCode' | 'headers'>;

/** An answer of the network for a carrier. */
export function carriedOf(answer: HttpAnswer): CarriedAnswer {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(headers), body: answer };
}

/** The answer of a carrier as what reads answers takes it. */
export function answerOfCarried({ status, headers, body }: CarriedAnswer): HttpAnswer {
  // Asked for here and not imported: without a carrier nothing needs it.
  const { Readable } = process.getBuiltinModule('node:stream');
  return Object.assign(Readable.from(body, { objectMode: false }), { statusCode: status, headers: { ...headers } });
}
