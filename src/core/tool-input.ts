import { isJsonObject } from './json-value.ts';

/** A call's arguments after its fragments were joined. */
export type ParsedToolInput = { readonly input: unknown } | { readonly input: null; readonly malformedInput: string };

/** Parses a call's joined argument text once. No text at all means no arguments: `{}`. Anything but a JSON object is malformed. */
export function parseToolInput(json: string): ParsedToolInput {
  if (json.trim() === '') return { input: {} };
  try {
    const input: unknown = JSON.parse(json);
    return isJsonObject(input) ? { input } : { input: null, malformedInput: json };
  } catch {
    return { input: null, malformedInput: json };
  }
}
