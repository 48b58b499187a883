import { displayLine } from './display-text.ts';
import type { DecisionPart } from './permission.ts';

/** Why a part was decided so, for a person; it is named where there are several and the reason does not name it. */
export function partReason(
  { text, because }: DecisionPart,
  { count, maxChars }: { readonly count: number; readonly maxChars: number },
): string {
  const place = text.replace(/^(?:read|write) /, '');
  return count === 1 || because.includes(place) ? because : `${displayLine(text, maxChars)}: ${because}`;
}
