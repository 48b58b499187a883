import { isReported } from '../../core/accounting.ts';
import type { Usage } from '../../core/model.ts';

/** A duration as people say it: `83 ms`, `1.4 s`, `2 min 5 s`, `3 h 12 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** A count in at most five characters: `940`, `12.3k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 999_500) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** US dollars, or null where the cost is not known. */
export function costText(cost: number | null): string | null {
  if (cost === null) return null;
  return `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

/** All that went to the model, read from or written to a cache or not. */
export function inputOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

/** Tokens in and out, or null where the provider told of none. */
export function usageText(usage: Usage): string | null {
  return isReported(usage) ? `${countText(inputOf(usage))} in, ${countText(usage.outputTokens)} out` : null;
}

/** A number with its noun. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Without the sequences that colour text on a terminal. */
export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- such a sequence begins with one
  return text.replaceAll(/\u001b\[[\d;:]{0,30}m/g, '');
}

/** `2026-11-30 22:14`, as the session's file says. */
export function dateText(iso: string): string {
  return iso.replace('T', ' ').slice(0, 16);
}
