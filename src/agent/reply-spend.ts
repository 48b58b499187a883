import { type Spend, spendOf } from '../core/accounting.ts';
import type { ProviderErrorKind } from '../core/errors.ts';
import type { ModelPrice } from '../core/model.ts';
import type { Reply } from './assemble.ts';

/** The kinds of no that come in place of an answer. */
const REFUSALS: ReadonlySet<ProviderErrorKind> = new Set([
  'key_rejected',
  'quota',
  'rate_limit',
  'overloaded',
  'server',
  'bad_request',
  'context_overflow',
  'unreachable',
]);

/** What a try at a response came to. One that broke or was stopped was at work: its cost is unknown where its tokens are. */
export function spendOfReply({ usage, error, message }: Reply, price: ModelPrice | null): Spend {
  const wasRefused = error !== null && message.content.length === 0 && REFUSALS.has(error.kind);
  return spendOf(usage, price, wasRefused);
}
