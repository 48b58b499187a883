/** A place in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How old_string was found; `replacement` is new_string as the file writes it there. */
export interface Placement {
  readonly how: 'exact' | 'line-ends' | 'indentation';
  readonly spans: readonly Span[];
  replacement(span: Span): string;
}

/** Gives each line of the new text the end that the line in its place had; further lines take the last one's. */
export function withLineEndsOf(original: string, newText: string): string {
  const ends = original.match(/\r?\n/g) ?? ['\n'];
  let line = 0;
  return newText.replaceAll(/\r?\n/g, () => ends[Math.min(line++, ends.length - 1)] ?? '\n');
}
