import { glyphsOf } from '../text/display-width.ts';
import { paint, type Span } from '../text/span.ts';
import { wrapSpans } from '../text/wrap.ts';
import type { Theme } from '../theme.ts';
import { inlineTokens, readInline } from './inline.ts';

/** What a block needs to know of the place where it stands. */
export interface Frame {
  readonly width: number;
  readonly theme: Theme;
}

/** A state after a step, and the rows that the step finished. */
export interface Step<State> {
  readonly state: State;
  readonly rows: readonly string[];
}

/** A paragraph on its way: the line that is being filled, and the source that may still change its meaning. */
export interface Paragraph {
  readonly kind: 'paragraph';
  readonly line: readonly Span[];
  readonly pending: string;
  /** True once a part of it was given out: then it becomes nothing else, such as a heading or a table. */
  readonly isCut: boolean;
}

const MIN_PENDING = 320;
const PENDING_ROWS = 4;
const MAX_GLYPH = 32;
// A sign in plain text that a later one may pair with.
const OPENER = /(?<![\p{L}\p{N}])[*_]+(?=\S)|(?<=\S)\*+(?=\S)|`|~~|\[(?![^\]]*\](?!\())|<(?=\S)/u;

export const emptyParagraph: Paragraph = { kind: 'paragraph', line: [], pending: '', isCut: false };

/** Text put behind a paragraph. What can no longer change leaves it as rows, so that it stays short however long it gets. */
export function extendParagraph(paragraph: Paragraph, text: string, { width, theme }: Frame): Step<Paragraph> {
  const limit = Math.max(MIN_PENDING, width * PENDING_ROWS);
  let state: Paragraph = { ...paragraph, pending: paragraph.pending + text };
  const rows: string[] = [];
  while (state.pending.length > limit) {
    const cut = cutPoint(state.pending.slice(0, limit));
    const lines = wrapSpans([...state.line, ...readInline(state.pending.slice(0, cut), theme)], width);
    rows.push(...lines.slice(0, -1).map((line) => paint(line, theme)));
    state = { kind: 'paragraph', line: lines.at(-1) ?? [], pending: state.pending.slice(cut), isCut: true };
  }
  return { state, rows };
}

/** The rows of what is left of a paragraph at its end. */
export function closeParagraph({ line, pending }: Paragraph, { width, theme }: Frame): readonly string[] {
  return wrapSpans([...line, ...readInline(pending.trimEnd(), theme)], width).map((each) => paint(each, theme).trimEnd());
}

/** Behind a space in plain text, before any sign that still waits for its partner; or where a cut does the least harm. */
function cutPoint(source: string): number {
  let position = 0;
  let best = 0;
  for (const token of inlineTokens(source)) {
    if (token.type === 'text') {
      const opener = OPENER.exec(token.raw);
      const space = lastSpace(opener === null ? token.raw : token.raw.slice(0, opener.index));
      if (space > 0) best = position + space;
      if (opener !== null) break;
    }
    position += token.raw.length;
  }
  return best || lastSpace(source) || lastGlyph(source);
}

/** The place behind the last space, 0 where there is none. */
function lastSpace(text: string): number {
  return Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
}

/** Where the last glyph of a text begins: what follows may still belong to it. */
function lastGlyph(source: string): number {
  const last = glyphsOf(source.slice(-MAX_GLYPH)).at(-1);
  return Math.max(1, source.length - (last?.text.length ?? 0));
}
