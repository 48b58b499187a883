import { displayLine } from '../../../core/display-text.ts';
import { durationText } from '../amounts.ts';
import type { CallEntry } from '../session-document.ts';

const MAX_SUBJECT_CHARS = 90;

/** A call in one line: name, subject, and how it ended. */
export function callLine(call: CallEntry): string {
  const subject = displayLine(call.subject, MAX_SUBJECT_CHARS);
  return [call.name, subject, ...endOf(call)].filter((part) => part !== '').join(' · ');
}

/** How a call ended, in words: what went wrong first, then how long it took. */
export function endOf({ outcome, exitCode, durationMs, isUndone }: CallEntry): readonly string[] {
  return [
    ...(outcome === 'succeeded' ? [] : [OUTCOMES[outcome]]),
    ...(exitCode === null || exitCode === 0 ? [] : [`exit code ${exitCode}`]),
    ...(isUndone ? ['undone'] : []),
    ...(durationMs === null ? [] : [durationText(durationMs)]),
  ];
}

const OUTCOMES = { failed: 'failed', denied: 'denied', unknown: 'no answer' } as const;
