import { isJsonObject } from './json-value.ts';

/** A call's arguments after its fragments were joined. */
export type ParsedToolInput = { readonly input: unknown } | { readonly input: null; readonly malformedInput: string };

/** Parses a call's joined argument text once. No text at all means no arguments: `{}`. Anything but a JSON object is malformed. */
export function parseToolInput(json: string): ParsedToolInput {
  if (json.trim() === '') return { input: {} };
  const input = jsonOrUndefined(json);
  return isJsonObject(input) && !isTooDeep(input) ? { input } : { input: null, malformedInput: json };
}

const MAX_QUOTED_CHARS = 200;

/** Says, for the model, what is wrong with an argument text that gave no input. */
export function describeMalformedInput(text: string): string {
  const parsed = jsonOrUndefined(text);
  if (isJsonObject(parsed) && isTooDeep(parsed))
    return `its input is nested more than ${MAX_NESTING} levels deep, and at most ${MAX_NESTING} are taken. Send the call again with less nesting.`;
  // It came in parts that were put together, and some of them did not fit: what is left of it is not what was sent.
  if (isJsonObject(parsed)) return 'its input did not arrive whole. Send the call again with all of its input.';
  const quoted = text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : text;
  const began = quoted.trim() === '' ? '' : ` It began: ${quoted}`;
  return `its input was not a complete JSON object. Send the call again with valid JSON.${began}`;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
