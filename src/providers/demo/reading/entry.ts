/**
 * A value in a file and the keys that lead to it. `raw` stands on `line` exactly so, quotes and all; `value` is without its quotes.
 * A container (object, section, list) has its children's names or values in `value` and an empty `raw`.
 */
export interface Entry {
  readonly keys: readonly string[];
  readonly value: string;
  readonly raw: string;
  readonly line: number;
  readonly isContainer: boolean;
  readonly size: number;
}

/** A value without the quotes around it. */
export function unquoted(raw: string): string {
  return /^(["'`])(.*)\1$/s.exec(raw)?.[2] ?? raw;
}
