import { InvalidArgumentError } from 'commander';

export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return value;
}

export function wholeNumber(text: string): number {
  return text === '0' ? 0 : positiveInteger(text);
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

const HOUR_MS = 3_600_000;
const SPANS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

export function timeSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It must be a number of hours, days or weeks: 12h, 30d, 8w.');
  return Number(count) * (SPANS[unit] ?? 0);
}

/** For an option that may be given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
