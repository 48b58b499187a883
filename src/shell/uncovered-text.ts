interface AnyNode {
  readonly type?: string;
  readonly text?: unknown;
  readonly pos?: number;
  readonly end?: number;
  readonly [key: string]: unknown;
}

interface Span {
  readonly pos: number;
  readonly end: number;
}

/** What may stand between the words of a script without being a part of one. */
const BETWEEN = new RegExp(
  [
    '\\s',
    '\\\\\\n',
    '(?<=^|[\\s;&|()])#[^\\n]*',
    '[;&|(){}!]',
    '\\[\\[|\\]\\]',
    '(?<![\\w$])(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|coproc|time|-p|--)(?!\\w)',
  ].join('|'),
  'y',
);
const BETWEEN_ELEMENTS = /\s|\\\n|(?<=[\s(])#[^\n]*/y;
const BETWEEN_TESTED = /\s|\\\n|(?<=\s)#[^\n]*|[()!<>]|&&|\|\||\[\[|\]\]|[=!]?=~?|=|-[a-zA-Z]+/y;
const BETWEEN_PIECES = /\\\n/y;

/** What is quoted, and starts nothing. */
const QUOTED = /\\[^]|\$'(?:\\[^]|[^'\\])*'|'[^']*'|"(?:\\[^]|[^"\\`$]|\$(?![\w({@*#?$!-]))*"/g;
const ESCAPED = /\\[^]/g;
/** What starts something in text that the parser took as plain. */
const ACTIVE = /`|\$[\w({'"@*#?$!-]|["']|[<>]\(/;
const ACTIVE_IN_BODY = /`|\$[\w({@*#?$!-]/;

/**
 * Some text of a script that its tree does not tell of, or null where it tells of all.
 * Bash would read on where the parser has dropped something or taken it as plain text, and what stands there may run.
 */
export function uncoveredText(node: unknown, source: string): string | null {
  if (Array.isArray(node)) return firstOf(node, (item) => uncoveredText(item, source));
  if (typeof node !== 'object' || node === null) return null;
  const at = node as AnyNode;
  // A script in escaped backticks counts its places in a text of its own.
  const text = at.type === 'Script' && typeof at['source'] === 'string' ? at['source'] : source;
  return missingIn(at, text) ?? firstOf(Object.values(at), (child) => uncoveredText(child, text));
}

function missingIn(node: AnyNode, source: string): string | null {
  switch (node.type) {
    case 'Script':
      return gapIn(source, spanOf(node), leavesOf(node['commands']), BETWEEN);
    case 'Word':
      return node['parts'] === undefined
        ? activeIn(node, QUOTED, ACTIVE)
        : gapIn(source, spanOf(node), spansOf(node['parts']), BETWEEN_PIECES);
    case 'DoubleQuoted':
      return gapIn(source, insideQuotes(node), spansOf(node['parts']), BETWEEN_PIECES);
    case 'HereDoc':
      return missingInBody(node);
    case 'ArrayValue': {
      const { pos, end } = spanOf(node);
      const isClosed = source[pos] === '(' && source[end - 1] === ')';
      return isClosed
        ? gapIn(source, { pos: pos + 1, end: end - 1 }, spansOf(node['elements']), BETWEEN_ELEMENTS)
        : source.slice(pos, end);
    }
    case 'TestCommand':
      return gapIn(source, spanOf(node), leavesOf(node['expression']), BETWEEN_TESTED);
    case 'Assignment':
      return missingInAssignment(node, source);
    default:
      return null;
  }
}

function missingInAssignment(node: AnyNode, source: string): string | null {
  const { end } = spanOf(node);
  const value = node['value'] as AnyNode;
  const { pos, end: valueEnd } = spanOf(value);
  // `a=(x)y` is an array all the same, and the parser does not read into it.
  if (value.type === 'Word' && source[pos] === '(') return source.slice(pos, end);
  return valueEnd === end ? null : source.slice(valueEnd, end);
}

function missingInBody(node: AnyNode): string | null {
  const body = node['body'] as AnyNode;
  const isQuoted = (node['delimiter'] as AnyNode | undefined)?.['quoted'] === true;
  return isQuoted || body['parts'] !== undefined ? null : activeIn(body, ESCAPED, ACTIVE_IN_BODY);
}

function activeIn({ text }: AnyNode, quoted: RegExp, active: RegExp): string | null {
  return typeof text === 'string' && active.test(text.replaceAll(quoted, '')) ? text : null;
}

function insideQuotes(node: AnyNode): Span {
  const { pos, end } = spanOf(node);
  return { pos: pos + 1, end: end - 1 };
}

/** Words and what stands for itself, in order; a gap is looked for between them. */
function leavesOf(node: unknown): readonly Span[] {
  if (Array.isArray(node)) return node.flatMap(leavesOf);
  if (typeof node !== 'object' || node === null) return [];
  const at = node as AnyNode;
  switch (at.type) {
    case 'Word':
    case 'Assignment':
    case 'ArithmeticCommand':
    case 'TestCommand':
      return [spanOf(at)];
    case 'Redirect':
    case 'HereString':
      return [spanOf(at), ...leavesOf(at['target'])];
    case 'HereDoc':
      return [spanOf(at), spanOf(at['body'] as AnyNode), ...spansOf([at['closing']])];
    case 'ArithmeticFor': {
      const { pos } = spanOf(at);
      return [{ pos, end: spanOf(at['body'] as AnyNode).pos }, ...leavesOf(at['body'])];
    }
    default:
      return Object.values(at).flatMap(leavesOf);
  }
}

function spansOf(nodes: unknown): readonly Span[] {
  return (nodes as readonly (AnyNode | undefined)[]).flatMap((node) => (node === undefined ? [] : [spanOf(node)]));
}

function spanOf({ pos, end }: AnyNode): Span {
  return { pos: pos ?? 0, end: end ?? 0 };
}

/** The first text inside a span that none of the leaves covers and that means something. */
function gapIn(source: string, { pos, end }: Span, leaves: readonly Span[], between: RegExp): string | null {
  let at = pos;
  for (const leaf of leaves.toSorted((one, other) => one.pos - other.pos)) {
    const gap = meaningIn(source, { pos: at, end: Math.min(leaf.pos, end) }, between);
    if (gap !== null) return gap;
    at = Math.max(at, leaf.end);
  }
  return meaningIn(source, { pos: at, end }, between);
}

function meaningIn(source: string, { pos, end }: Span, between: RegExp): string | null {
  let at = pos;
  while (at < end) {
    between.lastIndex = at;
    const taken = between.exec(source)?.[0].length ?? 0;
    if (taken === 0) return source.slice(at, end);
    at += taken;
  }
  return null;
}

function firstOf<T>(items: readonly T[], look: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}
