import { isJsonObject } from './json-value.ts';

/** A call's arguments after its fragments were joined. */
export type ParsedToolInput = { readonly input: unknown } | { readonly input: null; readonly malformedInput: string };

/** Parses a call's joined argument text once. No text at all means no arguments: `{}`. Anything but a JSON object is malformed. */
export function parseToolInput(json: string): ParsedToolInput {
  if (json.trim() === '') return { input: {} };
  try {
    const input: unknown = nestingOf(json) > MAX_NESTING ? null : JSON.parse(json);
    return isJsonObject(input) ? { input } : { input: null, malformedInput: json };
  } catch {
    return { input: null, malformedInput: json };
  }
}

// No tool's input is so deep; whatever walks a deeper one would run out of stack.
const MAX_NESTING = 200;

/** How deep arrays and objects stand in each other, strings aside. */
function nestingOf(json: string): number {
  let [depth, deepest, isString] = [0, 0, false];
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (isString && character === '\\') i++;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === '[' || character === '{')) deepest = Math.max(deepest, ++depth);
    else if (!isString && (character === ']' || character === '}')) depth--;
  }
  return deepest;
}
