import { isJsonObject, type JsonObject } from '../core/json-value.ts';

// What a server sends is not trusted to have its type: each field is read through one of these.

export function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that says something, or the other value. */
export function stringOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' && value !== '' ? value : other;
}

/** A number of tokens; what is none counts as 0. */
export function countOf(value: unknown): number {
  return countOrNull(value) ?? 0;
}

/** A number of tokens, or null: not told. A negative, broken or endless one would spoil every sum that it goes into. */
export function countOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
