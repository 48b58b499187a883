import { isJsonObject } from '../core/json-value.ts';

/** JSON in which no half of a character stands: many servers refuse a body with one, for the rest of the session. Source: anthropics/claude-code#1832 */
export function stringifyWellFormed(value: object): string {
  return JSON.stringify(value, (_key, item: unknown) => wellFormed(item));
}

/** One text, or the keys of one object. */
function wellFormed(item: unknown): unknown {
  if (typeof item === 'string') return item.toWellFormed();
  if (!isJsonObject(item) || Object.keys(item).every((key) => key.isWellFormed())) return item;
  return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key.toWellFormed(), inner]));
}
