import { glyphsOf } from './display-width.ts';
import type { Span } from './span.ts';

/** A stretch of one span that stays together: a word, a run of spaces, one wide glyph, or the end of a line. */
interface Atom {
  readonly kind: 'word' | 'space' | 'wide' | 'end';
  readonly text: string;
  readonly width: number;
  readonly span: Span;
}

const ASCII = /^[\u0020-\u007e\n]*$/;
// Where CJK text may break: nowhere before what closes or continues, nowhere behind what opens. Source: JIS X 4051, and UAX 14 classes CL, EX, NS, OP.
const NOT_FIRST =
  /^[\])}>,.;:!?%、。，．・：；？！）］｝〉》」』】〕〗〙〛〟’”…‥ー々〻ゝゞヽヾ〜～％‰℃°ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ｡､｣･]/;
const NOT_LAST = /[([{（［｛〈《「『【〔〖〘〚〝‘“￥＄｢]$/;

/** The text in lines of at most so many columns. Line feeds stay. */
export function wrap(text: string, width: number): readonly string[] {
  return wrapSpans([{ text, styles: [] }], width).map((line) => line.map((span) => span.text).join(''));
}

/**
 * Spans in lines of at most so many columns, broken at spaces and between CJK characters. What fits on no line is cut between glyphs.
 * Spaces at a break are dropped. There is always at least one line.
 */
export function wrapSpans(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
  const lines = createLines(Math.max(1, width));
  let unit: Atom[] = [];
  let space: Atom | null = null;
  const flush = (): void => {
    if (unit.length > 0) lines.addUnit(space, unit);
    if (unit.length > 0) space = null;
    unit = [];
  };
  for (const atom of atomsOf(spans)) {
    if (atom.kind === 'end') {
      flush();
      space = null;
      lines.breakLine();
    } else if (atom.kind === 'space') {
      flush();
      space = space === null ? atom : { ...atom, text: space.text + atom.text, width: space.width + atom.width };
    } else {
      const last = unit.at(-1);
      if (last !== undefined && mayBreak(last, atom)) flush();
      unit.push(atom);
    }
  }
  flush();
  return lines.finish(space);
}

/** Whether a line may end between two glyphs that stand side by side. */
function mayBreak(before: Atom, after: Atom): boolean {
  if (before.kind !== 'wide' && after.kind !== 'wide') return false;
  return !NOT_FIRST.test(after.text) && !NOT_LAST.test(before.text);
}

function createLines(width: number): {
  readonly addUnit: (space: Atom | null, unit: readonly Atom[]) => void;
  readonly breakLine: () => void;
  readonly finish: (space: Atom | null) => readonly (readonly Span[])[];
} {
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  const breakLine = (): void => {
    lines.push(line);
    line = [];
    used = 0;
  };
  const put = ({ span, text, width: columns }: Atom): void => {
    append(line, span, text);
    used += columns;
  };
  const addUnit = (space: Atom | null, unit: readonly Atom[]): void => {
    const columns = unit.reduce((sum, atom) => sum + atom.width, 0);
    const gap = space === null ? 0 : space.width;
    const fits = used + gap + columns <= width;
    if (!fits && used > 0) breakLine();
    else if (space !== null && gap + used < width) put(space);
    if (used + columns <= width) for (const atom of unit) put(atom);
    else cutUnit(unit);
  };
  const cutUnit = (unit: readonly Atom[]): void => {
    for (const { span, text, kind } of unit) {
      for (const glyph of glyphsOf(text)) {
        if (used > 0 && used + glyph.width > width) breakLine();
        put({ span, kind, text: glyph.text, width: glyph.width });
      }
    }
  };
  return {
    addUnit,
    breakLine,
    finish: (space) => {
      if (space !== null && used + space.width <= width) put(space);
      return [...lines, line];
    },
  };
}

/** Puts text behind a line, into its last span where that looks the same. */
function append(line: Span[], span: Span, text: string): void {
  const last = line.at(-1);
  const isSame = last !== undefined && last.href === span.href && last.styles === span.styles;
  if (isSame) line[line.length - 1] = { ...last, text: last.text + text };
  else line.push({ ...span, text });
}

function* atomsOf(spans: readonly Span[]): Generator<Atom> {
  for (const span of spans) {
    for (const text of span.text.match(/\n| +|[^ \n]+/g) ?? []) {
      if (text === '\n') yield { kind: 'end', text, width: 0, span };
      else if (text.startsWith(' ')) yield { kind: 'space', text, width: text.length, span };
      else if (ASCII.test(text)) yield { kind: 'word', text, width: text.length, span };
      else yield* glyphAtoms(text, span);
    }
  }
}

function* glyphAtoms(text: string, span: Span): Generator<Atom> {
  let word = '';
  let width = 0;
  for (const glyph of glyphsOf(text)) {
    if (glyph.width > 1) {
      if (word !== '') yield { kind: 'word', text: word, width, span };
      word = '';
      width = 0;
      yield { kind: 'wide', ...glyph, span };
    } else {
      word += glyph.text;
      width += glyph.width;
    }
  }
  if (word !== '') yield { kind: 'word', text: word, width, span };
}
