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

/** Gives each line of the new text the end that the line in its place had; further lines take the last one's, or that of the line they stand in. */
export function withLineEndsAt(text: string, span: Span, newText: string): string {
  const ends = text.slice(span.start, span.end).match(/\r?\n/g) ?? [lineEndAt(text, span)];
  let line = 0;
  return newText.replaceAll(/\r?\n/g, () => ends[Math.min(line++, ends.length - 1)] ?? '\n');
}

/** The line end that stands behind a place, or else before it. */
export function lineEndAt(text: string, { start, end }: Span): '\n' | '\r\n' {
  const next = text.indexOf('\n', end);
  const newline = next === -1 ? text.lastIndexOf('\n', start) : next;
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
}
