import { runInNewContext } from 'node:vm';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { Expected, ExpectedCall } from './task.ts';

/** The arguments that are not as expected, by name; empty where all are. */
export function wrongArguments(expected: ExpectedCall['arguments'], input: unknown): readonly string[] {
  if (!isJsonObject(input)) return ['the input, which is no object'];
  return Object.entries(expected)
    .filter(([key, wanted]) => !fits(wanted, input[key]))
    .map(([key]) => key);
}

function fits(wanted: Expected, value: unknown): boolean {
  if (!isJsonObject(wanted)) return isSame(wanted, value);
  if ('absent' in wanted) return value === undefined;
  if ('present' in wanted) return value !== undefined;
  if ('oneOf' in wanted && Array.isArray(wanted['oneOf'])) return wanted['oneOf'].some((one) => isSame(one, value));
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const { matches, contains }: JsonObject = wanted;
  if (typeof matches === 'string') return matchesInTime(matches, text);
  if (typeof contains === 'string') return text.includes(contains);
  return isSame(wanted, value);
}

const PATTERN_TIMEOUT_MS = 1000;

/** A pattern that takes for ever fits nothing. */
function matchesInTime(pattern: string, text: string): boolean {
  try {
    return runInNewContext('new RegExp(pattern, "u").test(text)', { pattern, text }, { timeout: PATTERN_TIMEOUT_MS }) === true;
  } catch {
    return false;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b);
}

/** As JSON, with the keys in order. */
function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      isJsonObject(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
    ) ?? 'undefined'
  );
}
