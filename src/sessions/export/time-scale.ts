import type { Span } from './session-document.ts';

/** Maps times to places from 0 to 1. Where nothing ran for long the time is cut short, so that what ran has room. */
export interface TimeScale {
  place(ms: number): number;
  /** Stretches that were cut short: where they stand, and how long they were. */
  readonly gaps: readonly { readonly from: number; readonly to: number; readonly durationMs: number }[];
  /** Time in which the model or a tool ran. */
  readonly busyMs: number;
}

interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly isBusy: boolean;
}

const LONGEST_GAP = 0.04;

/** Waiting for a person counts as nothing that runs. */
export function timeScaleOf(spans: readonly Span[]): TimeScale {
  const stretches = stretchesOf(spans);
  const busyMs = stretches.reduce((sum, { startMs, endMs, isBusy }) => sum + (isBusy ? endMs - startMs : 0), 0);
  const longestGapMs = Math.max(1, busyMs * LONGEST_GAP);
  const shownMs = (stretch: Stretch): number =>
    Math.min(stretch.endMs - stretch.startMs, stretch.isBusy ? Infinity : longestGapMs);
  const totalMs = Math.max(
    1,
    stretches.reduce((sum, stretch) => sum + shownMs(stretch), 0),
  );
  let sum = 0;
  const placed = stretches.map((stretch) => {
    const from = sum / totalMs;
    sum += shownMs(stretch);
    return { ...stretch, from, to: sum / totalMs };
  });
  return {
    place: (ms) => {
      const stretch = stretchAt(placed, ms);
      if (stretch === undefined) return 0;
      const part = (ms - stretch.startMs) / Math.max(1, stretch.endMs - stretch.startMs);
      return stretch.from + Math.min(1, Math.max(0, part)) * (stretch.to - stretch.from);
    },
    gaps: placed
      .filter((stretch) => !stretch.isBusy && stretch.endMs - stretch.startMs > longestGapMs)
      .map(({ from, to, startMs, endMs }) => ({ from, to, durationMs: endMs - startMs })),
    busyMs,
  };
}

/** The last one that begins no later, by halves: there may be thousands. */
function stretchAt<T extends Stretch>(stretches: readonly T[], ms: number): T | undefined {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.startMs ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return stretches[low];
}

/** Spans in order of their start, joined where they overlap, with what lies between. */
function stretchesOf(spans: readonly Span[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let endMs = spans[0]?.startMs ?? 0;
  for (const span of spans) {
    if (span.kind === 'person') continue;
    const startMs = Math.max(span.startMs, endMs);
    if (startMs > endMs) stretches.push({ startMs: endMs, endMs: startMs, isBusy: false });
    if (span.endMs > startMs) stretches.push({ startMs, endMs: span.endMs, isBusy: true });
    endMs = Math.max(endMs, span.endMs);
  }
  return stretches;
}
