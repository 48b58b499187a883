import { type Entry, unquoted } from './entry.ts';

/** The values of a JSON text. Comments, trailing commas and an end that is cut off do no harm. */
export function jsonEntries(lines: readonly string[]): readonly Entry[] {
  const walk: Walk = { tokens: tokensOf(lines), at: 0, entries: [] };
  readValue(walk, []);
  return walk.entries;
}

interface Token {
  readonly text: string;
  readonly line: number;
}

interface Walk {
  readonly tokens: readonly Token[];
  at: number;
  readonly entries: Entry[];
}

const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\/.*|\/\*.*?(?:\*\/|$)|[{}[\]:,]|[^\s{}[\]:,"']+/g;

function tokensOf(lines: readonly string[]): readonly Token[] {
  const found = lines.flatMap((text, index) => [...text.matchAll(TOKENS)].map(([token]) => ({ text: token, line: index + 1 })));
  return found.filter((token) => !/^\/[/*]/.test(token.text));
}

function readValue(walk: Walk, keys: readonly string[]): string {
  const token = walk.tokens[walk.at++];
  if (token === undefined) return '';
  if (token.text === '{' || token.text === '[') return readContainer(walk, keys, token);
  const value = unquoted(token.text);
  walk.entries.push({ keys, value, raw: token.text, line: token.line, isContainer: false, size: 0 });
  return value;
}

// The container's own entry stands before its children's.
function readContainer(walk: Walk, keys: readonly string[], open: Token): string {
  const isList = open.text === '[';
  const place = walk.entries.length;
  const shown: string[] = [];
  for (let index = 0; walk.at < walk.tokens.length; ) {
    const token = walk.tokens[walk.at];
    if (token === undefined || token.text === '}' || token.text === ']') break;
    if (token.text === ',') walk.at++;
    else if (isList) shown.push(shownItem(readValue(walk, [...keys, String(index++)])));
    else shown.push(readMember(walk, keys));
  }
  walk.at++;
  const container = { keys, value: shown.join(', '), raw: '', line: open.line, isContainer: true, size: shown.length };
  if (keys.length > 0) walk.entries.splice(place, 0, container);
  return isList ? `[${shown.join(', ')}]` : '{…}';
}

function readMember(walk: Walk, keys: readonly string[]): string {
  const key = unquoted(walk.tokens[walk.at++]?.text ?? '');
  if (walk.tokens[walk.at]?.text !== ':') return key;
  walk.at++;
  readValue(walk, [...keys, key]);
  return key;
}

function shownItem(value: string): string {
  return value === '' ? '""' : value;
}
