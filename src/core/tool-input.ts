import { isJsonObject } from './json-value.ts';

/** A call's arguments after its fragments were joined. */
export type ParsedToolInput = { readonly input: unknown } | { readonly input: null; readonly malformedInput: string };

/** Parses a call's joined argument text once. No text at all means no arguments: `{}`. Anything but a JSON object is malformed. */
export function parseToolInput(json: string): ParsedToolInput {
  if (json.trim() === '') return { input: {} };
  try {
    const input: unknown = JSON.parse(json);
    return isJsonObject(input) && !isTooDeep(input) ? { input } : { input: null, malformedInput: json };
  } catch {
    return { input: null, malformedInput: json };
  }
}

// No tool's input is so deep; whatever walks a deeper one would run out of stack.
const MAX_NESTING = 200;

/** Level by level, so that it needs no stack itself. */
function isTooDeep(input: object): boolean {
  let level: object[] = [input];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_NESTING) return true;
    level = level.flatMap((item) => Object.values(item).filter((inner) => typeof inner === 'object' && inner !== null));
  }
  return false;
}
