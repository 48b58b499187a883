/** A character that stands for itself, any one (`?`), any number (`*`), or one of a class. */
type Token = string | typeof ANY | typeof MANY | CharacterClass;
type Segment = readonly Token[] | typeof FOLDERS;

const ANY = Symbol('?');
const MANY = Symbol('*');
const FOLDERS = Symbol('**');
// `{a,b}` multiplies; beyond this the rest stands for itself.
const MAX_ALTERNATIVES = 1000;

interface CharacterClass {
  readonly isNegated: boolean;
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Tests paths with `**`, `*`, `?`, `[..]`, `{a,b}` and a backslash before what stands for itself; dotfiles match like others.
 * Segments that are in `names` stand for themselves. An odd pattern matches itself or nothing; none throws, and none takes more than
 * the product of the two lengths, which a pattern turned into a regular expression would. Composed and decomposed letters are one.
 */
export function globMatcher(pattern: string, names: ReadonlySet<string> = new Set()): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => {
    const segments = alternative.split('/').map((text) => parseSegment(text, names));
    return { segments, start: everythingBelow(segments), ending: literalEnding(segments) };
  });
  return (path) => {
    const composed = NOT_ASCII.test(path) ? path.normalize('NFC') : path;
    // Most paths are told by their ending already.
    const possible = alternatives.filter(({ ending }) => composed.endsWith(ending));
    if (possible.some(({ start }) => start !== null && composed.startsWith(start))) return true;
    const open = possible.filter(({ start }) => start === null);
    if (open.length === 0) return false;
    const characters = composed.split('/').map(charactersOf);
    return open.some(({ segments }) => matchesPath(segments, characters));
  };
}
const NOT_ASCII = /[^\0-\x7f]/;

/** Where a pattern is folders, `**` and `*` with an ending: the folders, since start and ending tell all then. Null for other shapes. */
function everythingBelow(segments: readonly Segment[]): string | null {
  const [folders, last] = segments.slice(-2);
  if (folders !== FOLDERS || last === undefined || last === FOLDERS) return null;
  if (last[0] !== MANY || !last.slice(1).every((token) => typeof token === 'string')) return null;
  let start = '';
  for (const segment of segments.slice(0, -2)) {
    if (segment === FOLDERS || !segment.every((token) => typeof token === 'string')) return null;
    start += `${segment.join('')}/`;
  }
  return start;
}

/** What every path that matches ends in. */
function literalEnding(segments: readonly Segment[]): string {
  const last = segments.at(-1);
  if (last === undefined || last === FOLDERS) return '';
  let ending = '';
  for (const token of last) ending = typeof token === 'string' ? ending + token : '';
  return ending;
}

/** A name by characters; where each is one unit, the name itself serves. */
function charactersOf(name: string): ArrayLike<string> {
  return SURROGATE.test(name) ? [...name] : name;
}
const SURROGATE = /[\ud800-\udfff]/;

/** The segments that may be a name as well as a class: `[id]` is a folder in many projects. */
export function bracketSegments(pattern: string): ReadonlySet<string> {
  return new Set(expandBraces(pattern).flatMap((text) => text.split('/').filter((segment) => segment.includes('['))));
}

function expandBraces(pattern: string): string[] {
  const group = firstGroup(pattern);
  if (group === null) return [pattern];
  const { start, end, parts } = group;
  const tails = expandBraces(pattern.slice(end));
  const heads = parts.flatMap(expandBraces).map((part) => pattern.slice(0, start) + part);
  if (heads.length * tails.length > MAX_ALTERNATIVES) return [pattern];
  return heads.flatMap((head) => tails.map((tail) => head + tail));
}

/** The first `{a,b}` that closes: from `start` to before `end`. Braces without a comma are a name. */
function firstGroup(pattern: string): { start: number; end: number; parts: string[] } | null {
  const opened: { start: number; commas: number[] }[] = [];
  let found: { start: number; end: number; parts: string[] } | null = null;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') opened.push({ start: at, commas: [] });
    else if (character === ',') opened.at(-1)?.commas.push(at);
    else if (character === '}') {
      const group = opened.pop();
      if (group === undefined || group.commas.length === 0) continue;
      const cuts = [group.start, ...group.commas, at];
      found = { start: group.start, end: at + 1, parts: cuts.slice(1).map((cut, i) => pattern.slice((cuts[i] ?? 0) + 1, cut)) };
      if (opened.length === 0) return found;
    }
  }
  return found;
}

function parseSegment(text: string, names: ReadonlySet<string>): Segment {
  if (text === '**') return FOLDERS;
  const characters = [...text.normalize('NFC')];
  if (names.has(text)) return characters;
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const group = character === '[' ? parseClass(characters, at) : null;
    if (group !== null) {
      tokens.push(group.token);
      at = group.last;
    } else if (character === '\\' && at + 1 < characters.length) tokens.push(characters[++at] ?? '');
    else if (character === '*') tokens.push(MANY);
    else tokens.push(character === '?' ? ANY : character);
  }
  return tokens;
}

/** The class that opens at `open`, or null where it does not close: then the bracket stands for itself. */
function parseClass(characters: readonly string[], open: number): { token: CharacterClass; last: number } | null {
  const isNegated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (isNegated ? 2 : 1);
  const ranges: { from: string; to: string }[] = [];
  for (let at = first; at < characters.length; at++) {
    // A closing bracket in the first place is one of the characters.
    if (characters[at] === ']' && at > first) return { token: { isNegated, ranges }, last: at };
    if (characters[at] === '\\' && at + 1 < characters.length) at++;
    const from = characters[at] ?? '';
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length && characters[at + 2] !== ']';
    const to = isRange ? (characters[at + 2] ?? '') : from;
    if (isRange) at += 2;
    ranges.push({ from, to });
  }
  return null;
}

function matchesPath(pattern: readonly Segment[], path: readonly ArrayLike<string>[]): boolean {
  // At the end `**` stands for what is in a folder, not for the folder.
  const whole: readonly Segment[] = pattern.at(-1) === FOLDERS ? [...pattern, [MANY]] : pattern;
  return matchesRun(whole, path, FOLDERS, (segment, name) => segment !== FOLDERS && matchesName(segment, name));
}

function matchesName(tokens: readonly Token[], name: ArrayLike<string>): boolean {
  return matchesRun(tokens, name, MANY, isOneOf);
}

/** Matches items one to one, where `star` stands for any number of them: only the last star seen is ever tried again. */
function matchesRun<P, T>(pattern: readonly P[], items: ArrayLike<T>, star: P, isMatch: (want: P, item: T) => boolean): boolean {
  let [wanted, at] = [0, 0];
  let retry: { wanted: number; at: number } | null = null;
  while (at < items.length) {
    const want = pattern[wanted];
    if (want === star) {
      retry = { wanted: ++wanted, at };
    } else if (wanted < pattern.length && isMatch(want as P, items[at] as T)) {
      wanted++;
      at++;
    } else if (retry !== null) {
      retry = { wanted: retry.wanted, at: retry.at + 1 };
      ({ wanted, at } = retry);
    } else return false;
  }
  while (pattern[wanted] === star) wanted++;
  return wanted === pattern.length;
}

function isOneOf(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if (typeof token === 'symbol') return true;
  return token.isNegated !== token.ranges.some(({ from, to }) => character >= from && character <= to);
}
