import { monotonicMs } from '../core/monotonic-time.ts';
import { pause } from '../core/pause.ts';
import type { Subject } from './bench.ts';
import { found, skip, type Verdict } from './finding.ts';
import { inWords } from './input-words.ts';
import { startCalls, type Trial } from './trial.ts';

/** A call this short is over before it could be told to stop. */
const LONG_ENOUGH_MS = 50;
const HEAD_START_MS = 150;

/** Tells a call to stop in the middle, and looks how long it goes on. */
export async function checkAbort(subject: Subject, trials: readonly Trial[]): Promise<Verdict> {
  const slowest = trials.filter(({ raw }) => raw !== undefined).toSorted((a, b) => b.durationMs - a.durationMs)[0];
  const isKnownSlow = subject.slowInput !== null;
  if (!isKnownSlow && slowest === undefined) return skip('no call was answered');
  if (!isKnownSlow && (slowest?.durationMs ?? 0) < LONG_ENOUGH_MS)
    return skip('each call was over before it could be told to stop');
  const input = isKnownSlow ? subject.slowInput : slowest?.input;
  const abort = new AbortController();
  const { round, record } = startCalls(subject, [input], abort.signal);
  const results = round.results();
  await Promise.race([record.started.promise, results]);
  if (!record.hasStarted) return skip('the call that was to be stopped did not run');
  await pause(
    isKnownSlow ? HEAD_START_MS : Math.min(HEAD_START_MS, (slowest?.durationMs ?? 0) / 3),
    new AbortController().signal,
  );
  if (record.endedAt !== null) return skip('each call was over before it could be told to stop');
  const toldAt = monotonicMs();
  abort.abort();
  await results;
  const wentOnMs = Math.round((record.endedAt ?? monotonicMs()) - toldAt);
  if (wentOnMs <= subject.limits.stopMs) return found();
  return found({
    what: `${inWords(input)} was told to stop and went on for ${(wentOnMs / 1000).toFixed(1)} s.`,
    remedy: 'Hand context.signal to all that waits, and look at it in loops.',
  });
}
