import {
  type PatternCursor,
  PatternFault,
  readCharacter,
  readClass,
  readEscape,
  readMatch,
  readText,
  WORD,
} from './plain-class.ts';

/** A pattern in Rust's dialect as JavaScript writes it. */
export interface PlainPattern {
  readonly regex: RegExp;
  /** A match may hold a line end, or look at the ends of the text; else it is one in a line. */
  readonly crossesLines: boolean;
}

export interface PatternOptions {
  readonly ignoreCase: boolean;
  /** Line ends are part of the text; else each line is a text of its own. */
  readonly multiline: boolean;
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly lineAnchors: boolean;
  readonly dotAll: boolean;
  readonly isLazy: boolean;
  readonly isSpaced: boolean;
}

interface Translation extends PatternCursor {
  readonly multiline: boolean;
  flags: Flags;
  /** The letter case of the whole regex; an item of another one says so itself. */
  ignoreCase: boolean;
  crossesLines: boolean;
  isAtStart: boolean;
  depth: number;
}

// JavaScript's own anchors and word boundaries know other line ends, and only ASCII words. A line ends with LF, CRLF or a lone CR, as it
// does for rg with --crlf, and no anchor stands inside of CRLF.
const TEXT_START = '(?<![^])';
const TEXT_END = '(?![^])';
// Nor between the halves of a character, where V8 looks behind and sees nothing.
const WHOLE = String.raw`(?![\ud800-\udfff])`;
const LINE_START = String.raw`(?<![^\r\n])(?!(?<=\r)\n)${WHOLE}`;
const LINE_END = String.raw`(?![^\r\n])(?!(?<=\r)\n)${WHOLE}`;
// A line that is a text of its own ends only with LF or CRLF.
const OWN_START = String.raw`(?<![^\n])${WHOLE}`;
const OWN_END = String.raw`(?=\r?(?:\n|${TEXT_END}))`;
const WORD_START = `(?<!${WORD})(?=${WORD})`;
const WORD_END = `(?<=${WORD})(?!${WORD})`;
const ASSERTIONS: readonly (readonly [string, string])[] = [
  ['b{start-half}', `(?<!${WORD})`],
  ['b{end-half}', `(?!${WORD})`],
  ['b{start}', WORD_START],
  ['b{end}', WORD_END],
  ['<', WORD_START],
  ['>', WORD_END],
  ['b', `(?:${WORD_START}|${WORD_END})`],
  ['B', `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`],
];
const MAX_DEPTH = 250;
const LETTERS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'lineAnchors',
  s: 'dotAll',
  U: 'isLazy',
  x: 'isSpaced',
};

/**
 * Translates a pattern of the regex crate for JavaScript. What JavaScript could do and Rust cannot is refused, so that a pattern means
 * the same wherever it runs; a fault says where and why.
 */
export function translatePattern(
  pattern: string,
  { ignoreCase, multiline }: PatternOptions,
): PlainPattern | { readonly fault: string } {
  const flags = { ignoreCase, lineAnchors: true, dotAll: multiline, isLazy: false, isSpaced: false };
  const state = { pattern, at: 0, multiline, flags, ignoreCase, crossesLines: false, isAtStart: true, depth: 0 };
  try {
    const source = readBranches(state);
    if (state.at < pattern.length) throw new PatternFault('unopened group', state.at);
    return { regex: new RegExp(source, state.ignoreCase ? 'giv' : 'gv'), crossesLines: state.crossesLines };
  } catch (thrown) {
    if (thrown instanceof PatternFault) return { fault: faultText(pattern, thrown) };
    if (thrown instanceof SyntaxError) return { fault: `regex parse error:\n    ${pattern}\nerror: ${thrown.message}` };
    throw thrown;
  }
}

function faultText(pattern: string, { at, message }: PatternFault): string {
  return `regex parse error:\n    ${pattern.replaceAll('\n', ' ')}\n    ${' '.repeat(at)}^\nerror: ${message}`;
}

/** Reads to the end of a group or of the pattern. Flags that are set inside hold to there. */
function readBranches(state: Translation): string {
  const outer = state.flags;
  let source = '';
  let last: string | null = null;
  if (++state.depth > MAX_DEPTH) throw new PatternFault(`more than ${MAX_DEPTH} groups in each other`, state.at);
  while (state.at < state.pattern.length && state.pattern[state.at] !== ')') {
    const repetition = readRepetition(state, last !== null);
    if (repetition !== null) {
      last = `(?:${last})${repetition}`;
    } else if (readText(state, '|')) {
      source += `${last ?? ''}|`;
      last = null;
    } else {
      const item = readSequenceItem(state);
      if (item === null) continue;
      source += last ?? '';
      last = item;
    }
  }
  state.depth--;
  state.flags = outer;
  return source + (last ?? '');
}

function readRepetition(state: Translation, hasOperand: boolean): string | null {
  const start = state.at;
  const operator = readMatch(state, /[*+?{]/y)?.[0];
  if (operator === undefined) return null;
  if (!hasOperand) throw new PatternFault('repetition operator missing expression', start);
  const count = operator === '{' ? readCount(state, start) : operator;
  return readText(state, '?') === state.flags.isLazy ? count : `${count}?`;
}

function readCount(state: Translation, start: number): string {
  if (!state.pattern.includes('}', start)) throw new PatternFault('unclosed counted repetition', start);
  const [, least = '', comma = '', most = ''] = readMatch(state, /\s*(\d+)\s*(,?)\s*(\d*)\s*\}/y) ?? [];
  if (least === '') throw new PatternFault('repetition quantifier expects a valid decimal', start);
  if (most !== '' && Number(least) > Number(most))
    throw new PatternFault('invalid repetition count range, the start must be <= the end', start);
  return `{${least}${comma}${most}}`;
}

/** The next item, or null where only flags were set or space skipped. */
function readSequenceItem(state: Translation): string | null {
  if (state.flags.isSpaced && readMatch(state, /(?:\s|#.*)+/y) !== null) return null;
  const isGroup = state.pattern[state.at] === '(';
  const item = isGroup ? readGroup(state) : readAtom(state);
  if (item === null) return null;
  state.isAtStart = false;
  return isGroup ? item : withLetterCase(state, item);
}

/** Source: TC39, Regular Expression Pattern Modifiers, which Node has since version 23. */
function withLetterCase(state: Translation, item: string): string {
  if (state.flags.ignoreCase === state.ignoreCase) return item;
  const modified = `(?${state.flags.ignoreCase ? 'i' : '-i'}:${item})`;
  try {
    return new RegExp(modified, 'v').source;
  } catch {
    throw new PatternFault('letter case can change only at the start of a pattern here: write (?i) there', state.at);
  }
}

function readGroup(state: Translation): string | null {
  const open = state.at;
  if (readMatch(state, /\(\?<?[=!]/y) !== null) {
    const advice = 'match the text around it too, or search for one part and choose among what is found';
    throw new PatternFault(`look-around, including look-ahead and look-behind, is not supported: ${advice}`, open);
  }
  if (readMatch(state, /\(\?P[=>]/y) !== null)
    throw new PatternFault('backreferences are not supported: write the text a second time', open);
  const outer = state.flags;
  // A name serves nobody here: what a group captured is not shown.
  const isNamed = readMatch(state, /\(\?P?<[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.[\]]*>/uy) !== null;
  const hasFlags = !isNamed && readText(state, '(?');
  if (hasFlags && readFlags(state, open) === ')') return null;
  if (!isNamed && !hasFlags) readText(state, '(');
  const body = readBranches(state);
  state.flags = outer;
  if (!readText(state, ')')) throw new PatternFault('unclosed group', open);
  state.isAtStart = false;
  return `(?:${body})`;
}

/** Reads flags and what ends them: `:` where they hold for a group, `)` where they hold from here on. */
function readFlags(state: Translation, open: number): ':' | ')' {
  const [, on = '', off = '', end] = readMatch(state, /([A-Za-z]*)(?:-([A-Za-z]+))?([:)])/y) ?? [];
  if (end === undefined || (end === ')' && on + off === '')) throw new PatternFault('unrecognized flag', open);
  for (const letter of on) setFlag(state, letter, true);
  for (const letter of off) setFlag(state, letter, false);
  if (state.isAtStart && state.depth === 1 && end === ')') state.ignoreCase = state.flags.ignoreCase;
  return end === ':' ? ':' : ')';
}

function setFlag(state: Translation, letter: string, value: boolean): void {
  const flag = LETTERS[letter];
  if (flag !== undefined) state.flags = { ...state.flags, [flag]: value };
  // Unicode is on in any case.
  else if (letter !== 'u' || !value) throw new PatternFault(`the flag ${letter} is not supported here`, state.at - 1);
}

function readAtom(state: Translation): string {
  const { flags } = state;
  const start = state.at;
  const character = readCharacter(state);
  if (character === '[') return noteSet(state, readClass(state));
  if (character === '.') return noteSet(state, flags.dotAll ? '[^]' : String.raw`[^\r\n]`);
  if (character === '^' && flags.lineAnchors) return LINE_START;
  if (character === '$' && flags.lineAnchors) return LINE_END;
  if (character === '^' || (character === '\\' && readText(state, 'A'))) return noteEnd(state, TEXT_START, OWN_START);
  if (character === '$' || (character === '\\' && readText(state, 'z'))) return noteEnd(state, TEXT_END, OWN_END);
  if (character !== '\\') return literal(state, character, start);
  const assertion = ASSERTIONS.find(([name]) => readText(state, name));
  if (assertion !== undefined) return assertion[1];
  const item = readEscape(state);
  if ('set' in item) return noteSet(state, item.set);
  return literal(state, item.character, start);
}

function literal(state: Translation, character: string, at: number): string {
  if (character === '\n' || character === '\r') {
    if (!state.multiline) throw new PatternFault('a line end is matched only where multiline is set', at);
    state.crossesLines = true;
  }
  return /[$()*+./?[\\\]^{|}]/.test(character) ? `\\${character}` : character;
}

/** Where lines are searched one by one, no set holds their end: a match in the whole text is then one in a line. */
function noteSet(state: Translation, set: string): string {
  if (!new RegExp(`^${set}$`, 'v').test('\n') && !new RegExp(`^${set}$`, 'v').test('\r')) return set;
  if (!state.multiline) return `[${set}--[\\r\\n]]`;
  state.crossesLines = true;
  return set;
}

/** The start or end of what is searched: of the text, or of each line. */
function noteEnd(state: Translation, ofText: string, ofLine: string): string {
  if (!state.multiline) return ofLine;
  state.crossesLines = true;
  return ofText;
}
