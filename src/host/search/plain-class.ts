/** A pattern and how far it was read. */
export interface PatternCursor {
  readonly pattern: string;
  at: number;
}

/** What is wrong with a pattern, and at which offset. */
export class PatternFault extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** One character that stands for itself, or a set of them as JavaScript (flag v) writes it. */
export type PatternItem = { readonly character: string } | { readonly set: string };

/** Letters, digits and the like, in any script. Source: Unicode Technical Standard 18, Annex C, \w */
export const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

const SETS: Readonly<Record<string, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  w: WORD,
  W: WORD.replace('[', '[^'),
};

const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const ASCII_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\x20`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: String.raw`\x20-~`,
  punct: String.raw`!-\/:-@\[-\x60\{-~`,
  space: String.raw`\t\n\v\f\r\x20`,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads the next character, which may be two units long; '' at the end. */
export function readCharacter(cursor: PatternCursor): string {
  const code = cursor.pattern.codePointAt(cursor.at);
  if (code === undefined) return '';
  const character = String.fromCodePoint(code);
  cursor.at += character.length;
  return character;
}

/** Reads `text` where it comes next. */
export function readText(cursor: PatternCursor, text: string): boolean {
  if (!cursor.pattern.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Reads what a sticky expression matches next. */
export function readMatch(cursor: PatternCursor, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = cursor.at;
  const match = sticky.exec(cursor.pattern);
  if (match !== null) cursor.at = sticky.lastIndex;
  return match;
}

/** Reads what follows a backslash, in a class or out of one. */
export function readEscape(cursor: PatternCursor): PatternItem {
  const start = cursor.at - 1;
  const letter = readCharacter(cursor);
  if (letter === '') throw new PatternFault('incomplete escape sequence, reached end of pattern prematurely', start);
  const control = CONTROLS[letter];
  if (control !== undefined) return { character: control };
  const set = SETS[letter];
  if (set !== undefined) return { set };
  if (letter === 'p' || letter === 'P') return { set: readProperty(cursor, letter === 'P', start) };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) return { character: readCodePoint(cursor, digits, start) };
  if (/[0-9]/.test(letter)) throw new PatternFault('backreferences are not supported: write the text a second time', start);
  if (letter <= '\x7f' && !/[A-Za-z<>]/.test(letter)) return { character: letter };
  throw new PatternFault('unrecognized escape sequence', start);
}

function readCodePoint(cursor: PatternCursor, digits: number, start: number): string {
  const match = readMatch(cursor, /\{([0-9A-Fa-f]+)\}/y) ?? readMatch(cursor, new RegExp(`([0-9A-Fa-f]{${digits}})`, 'y'));
  const code = Number.parseInt(match?.[1] ?? '', 16);
  if (Number.isNaN(code)) throw new PatternFault('invalid hexadecimal digit', start);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new PatternFault('hexadecimal literal is not a Unicode scalar value', start);
  return String.fromCodePoint(code);
}

function readProperty(cursor: PatternCursor, isNegated: boolean, start: number): string {
  const match = readMatch(cursor, /\{([^}]*)\}/y) ?? readMatch(cursor, /([A-Za-z])/y);
  const source = propertySource((match?.[1] ?? '').replace(':', '='));
  if (source === null) throw new PatternFault('Unicode property not found', start);
  return `\\${isNegated ? 'P' : 'p'}{${source}}`;
}

/** A property as JavaScript spells it: Rust does not mind letter case and takes the name of a script alone. */
function propertySource(name: string): string | null {
  const spelled = name
    .replaceAll(/[ -]/g, '_')
    .replaceAll(/(^|[_=])([a-z])/g, (_all, before: string, letter: string) => before + letter.toUpperCase());
  const spellings = [
    name,
    spelled,
    name.toUpperCase(),
    `Script=${spelled}`,
    spelled.replace(/^Sc=/, 'sc=').replace(/^Gc=/, 'gc='),
  ];
  return spellings.find(isProperty) ?? null;
}

function isProperty(source: string): boolean {
  try {
    return new RegExp(`\\p{${source}}`, 'u').source !== '';
  } catch {
    return false;
  }
}

/** Reads a class behind its opening bracket, with nested classes, `[:alpha:]`, `&&` and `--`. Returns it as JavaScript writes it. */
export function readClass(cursor: PatternCursor): string {
  const open = cursor.at - 1;
  const head = readText(cursor, '^') ? '[^' : '[';
  let operands = '';
  // In the first place dashes and a closing bracket stand for themselves.
  let items = literalsOf(readMatch(cursor, /-*\]?/y)?.[0] ?? '');
  while (cursor.at < cursor.pattern.length) {
    if (readText(cursor, ']')) return operands === '' ? `${head}${items}]` : `${head}${operands}[${items}]]`;
    const operator = readMatch(cursor, /&&|--|~~/y)?.[0];
    if (operator === undefined) items += readRange(cursor);
    else if (operator === '~~') throw new PatternFault('~~ is not supported in a class here', cursor.at - 2);
    else {
      // Each operator applies to all that stands before it.
      operands = operands === '' ? `[${items}]${operator}` : `[${operands}[${items}]]${operator}`;
      items = '';
    }
  }
  throw new PatternFault('unclosed character class', open);
}

function literalsOf(text: string): string {
  return Array.from(text, inClass).join('');
}

/** A character, written so that it has no meaning in a class. */
function inClass(character: string): string {
  return /^\w$/.test(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function readRange(cursor: PatternCursor): string {
  const start = cursor.at;
  const isNested = cursor.pattern[start] === '[';
  const from = readItem(cursor);
  if (isNested && 'set' in from) return from.set;
  if (readMatch(cursor, /-(?![\]-])/y) === null) return 'set' in from ? from.set : inClass(from.character);
  const to = readItem(cursor);
  if ('set' in from || 'set' in to) throw new PatternFault('invalid range boundary, must be a literal', start);
  if ((from.character.codePointAt(0) ?? 0) > (to.character.codePointAt(0) ?? 0))
    throw new PatternFault('invalid character class range, the start must be <= the end', start);
  return `${inClass(from.character)}-${inClass(to.character)}`;
}

function readItem(cursor: PatternCursor): PatternItem {
  const ascii = readMatch(cursor, /\[:(\^?)([a-z]+):\]/y);
  if (ascii !== null) return { set: asciiClass(ascii[2] ?? '', ascii[1] === '^', cursor.at - ascii[0].length) };
  if (readText(cursor, '[')) return { set: readClass(cursor) };
  if (readText(cursor, '\\')) return readEscape(cursor);
  return { character: readCharacter(cursor) };
}

function asciiClass(name: string, isNegated: boolean, at: number): string {
  const ranges = ASCII_CLASSES[name];
  if (ranges === undefined) throw new PatternFault(`there is no class [:${name}:]`, at);
  return `[${isNegated ? '^' : ''}${ranges}]`;
}
