import { glyphsOf } from '../text/display-width.ts';
import { paint, type Span } from '../text/span.ts';
import { type CodeContext, highlightLine, prepareLanguage } from './code/highlight.ts';
import type { Frame, Step } from './paragraph.ts';

/** Lines that are shown as they are: code, or HTML. */
export interface CodeBlock {
  readonly kind: 'code';
  /** What ends it: such a fence, a line that is not indented, or a blank line. */
  readonly end:
    | { readonly type: 'fence'; readonly mark: string; readonly indent: number }
    | { readonly type: 'dedent' | 'blank' };
  readonly info: string;
  readonly context: CodeContext;
  /** Blank lines that belong to it only if more code follows. */
  readonly blanks: number;
}

const INDENT = 2;
const MIN_WIDTH = 8;

/** The block that a line begins. */
export function openCode(end: CodeBlock['end'], info = ''): CodeBlock {
  // Nothing waits for the grammar. Where it cannot be had the code stays plain, and that is all there is to say.
  prepareLanguage(info).catch(() => undefined);
  return { kind: 'code', end, info, context: [], blanks: 0 };
}

/** One more line of a block. */
export function addCodeLine(block: CodeBlock, line: string, frame: Frame): Step<CodeBlock> {
  const { spans, context } = highlightLine(line, block.info, block.context);
  const blanks = Array.from({ length: block.blanks }, () => '');
  return { state: { ...block, context, blanks: 0 }, rows: [...blanks, ...codeRows(spans, block, frame)] };
}

/** Code is cut at the edge, wherever that is: its spaces mean something. */
function codeRows(spans: readonly Span[], { end }: CodeBlock, { width, theme }: Frame): readonly string[] {
  const indent = end.type === 'blank' || width - INDENT < MIN_WIDTH ? 0 : INDENT;
  return cutSpans(spans, width - indent).map((row) => `${' '.repeat(indent)}${paint(row, theme)}`.trimEnd());
}

function cutSpans(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
  const rows: Span[][] = [];
  let row: Span[] = [];
  let used = 0;
  for (const span of spans) {
    let text = '';
    for (const glyph of glyphsOf(span.text)) {
      if (used > 0 && used + glyph.width > width) {
        if (text !== '') row.push({ ...span, text });
        rows.push(row);
        row = [];
        text = '';
        used = 0;
      }
      text += glyph.text;
      used += glyph.width;
    }
    if (text !== '') row.push({ ...span, text });
  }
  return [...rows, row];
}
