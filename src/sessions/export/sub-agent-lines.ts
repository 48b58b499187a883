import { costText, durationText, plural } from './amounts.ts';
import type { SubAgentWork } from './session-document.ts';

/** `3 calls in 2 turns, $0.0100`. */
export function workText({ calls, turns, cost }: SubAgentWork): string {
  const price = cost === 0 ? null : costText(cost);
  return `${plural(calls.length, 'call')} in ${plural(turns, 'turn')}${price === null ? '' : `, ${price}`}`;
}

/** A line for each call of a sub-agent. */
export function workLines({ calls }: SubAgentWork): readonly string[] {
  return calls.map(({ name, subject, outcome, durationMs }) => {
    const about = subject === '' ? '' : ` ${subject.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
    return `${name}${about}: ${outcome}${durationMs === null ? '' : `, ${durationText(durationMs)}`}`;
  });
}
