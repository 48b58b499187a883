import { displayLine } from '../core/display-text.ts';

const MAX_CHARS = 160;

/** An input in one line, for a person. */
export function inWords(input: unknown): string {
  return displayLine(JSON.stringify(input) ?? String(input), MAX_CHARS);
}
