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
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
