import { messageOf } from '../core/errors.ts';
import type { Finding } from './finding.ts';

const TICK_MS = 1000;

/**
 * Does work on a tool, whatever that does to the process: what it throws beside its calls, in timers and in promises that nobody waits
 * for, would end it, and a promise that never settles would let it end. `stray` is what was thrown so.
 */
export async function sheltered<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly stray: readonly Finding[] }> {
  const stray: Finding[] = [];
  const note = (thrown: unknown): void => void stray.push(strayFinding(thrown));
  const clock = setInterval(() => undefined, TICK_MS);
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  try {
    const value = await work();
    // What was thrown at the very end comes a turn later.
    await new Promise(setImmediate);
    return { value, stray };
  } finally {
    clearInterval(clock);
    process.off('uncaughtException', note);
    process.off('unhandledRejection', note);
  }
}

/** What a check that broke says of its tool. */
export function brokenCheck(thrown: unknown): Finding {
  return {
    what: `what it returned could not be looked at: ${messageOf(thrown)}.`,
    remedy: 'Return plain objects, whose fields can be read.',
  };
}

function strayFinding(thrown: unknown): Finding {
  return {
    what: `it threw beside its calls, which ends the whole process: ${messageOf(thrown)}.`,
    remedy: 'Wait for every promise, and catch what timers and events throw.',
  };
}
