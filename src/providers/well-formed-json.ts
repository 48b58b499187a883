import { isJsonObject } from '../core/json-value.ts';

/** JSON without half a character in it: servers refuse a body that has one, as it is or as an escape. Source: anthropics/claude-code#1832 */
export function stringifyWellFormed(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => wellFormed(item));
}

function wellFormed(item: unknown): unknown {
  if (typeof item === 'string') return item.toWellFormed();
  if (!isJsonObject(item) || Object.keys(item).every((key) => key.isWellFormed())) return item;
  return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key.toWellFormed(), inner]));
}
