/** What a line of Markdown begins, if anything but a paragraph. Source: CommonMark 0.31.2, chapters 4 and 5. */
export type LineShape =
  | { readonly kind: 'blank' | 'rule' | 'text' | 'html' }
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'fence'; readonly mark: string; readonly indent: number; readonly info: string }
  | { readonly kind: 'quote'; readonly rest: string }
  | { readonly kind: 'indented'; readonly text: string }
  | ListMark;

/** The beginning of a list item. */
export interface ListMark {
  readonly kind: 'item';
  /** The bullet, or what stands behind the number. Items of one list have the same. */
  readonly sign: string;
  readonly number: number | null;
  /** Columns before the item's content. */
  readonly indent: number;
  readonly rest: string;
}

const HEADING = /^(#{1,6})(?: +(.*))?$/;
const RULE = /^(?:(?:- *){3,}|(?:_ *){3,}|(?:\* *){3,})$/;
const FENCE = /^(`{3,}|~{3,}) *(.*)$/;
const ITEM = /^([-+*]|(\d{1,9})([.)]))( +|$)(.*)$/;
const HTML =
  /^<(?:!--|\/?(?:article|aside|body|center|details|div|dl|fieldset|figure|footer|form|h[1-6]|head|header|html|iframe|li|link|main|meta|nav|ol|p|picture|pre|script|section|style|summary|svg|table|tbody|td|th|thead|tr|ul|video)(?=[\s/>]|$))/i;

/** The shape of a line without tabs. */
export function shapeOf(line: string): LineShape {
  const text = line.trimStart();
  if (text === '') return { kind: 'blank' };
  const indent = line.length - text.length;
  if (indent >= 4) return { kind: 'indented', text: line.slice(4) };
  const [, signs, title = ''] = HEADING.exec(text) ?? [];
  if (signs !== undefined) return { kind: 'heading', level: signs.length, text: withoutClosingSigns(title.trim()) };
  const [, mark, info = ''] = FENCE.exec(text) ?? [];
  if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) return { kind: 'fence', mark, indent, info };
  if (RULE.test(text)) return { kind: 'rule' };
  if (text.startsWith('>')) return { kind: 'quote', rest: text.slice(text[1] === ' ' ? 2 : 1) };
  return itemOf(text, indent) ?? { kind: HTML.test(text) ? 'html' : 'text' };
}

/** Whether a line ends the paragraph above it. A number does so only where a list would begin with it. */
export function interruptsParagraph(shape: LineShape): boolean {
  if (shape.kind === 'item') return shape.rest !== '' && (shape.number === null || shape.number === 1);
  return shape.kind !== 'text' && shape.kind !== 'html' && shape.kind !== 'indented';
}

/** How many spaces a line begins with. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether an incomplete line holds only signs so far, so that nobody can tell what it will mean. */
export function isUndecided(line: string): boolean {
  return /^[\s>]*(?:[-+*_=#`~|:<[\]!]{0,6}|\d{1,9}[.)]?)\s*$/.test(line);
}

function withoutClosingSigns(title: string): string {
  return /^#+$/.test(title) ? '' : title.replace(/ #+$/, '').trimEnd();
}

function itemOf(text: string, indent: number): ListMark | null {
  const [, mark, digits, sign, spaces = '', rest = ''] = ITEM.exec(text) ?? [];
  if (mark === undefined) return null;
  const isCode = spaces.length > 4;
  const gap = isCode || rest === '' ? 1 : spaces.length;
  return {
    kind: 'item',
    sign: sign ?? mark,
    number: digits === undefined ? null : Number(digits),
    indent: indent + mark.length + gap,
    rest: isCode ? spaces.slice(1) + rest : rest,
  };
}
