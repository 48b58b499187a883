import { type ParsedScript, parse } from 'unbash';
import { uncoveredText } from './uncovered-text.ts';

const MAX_CHARS = 10_000;
// Controls but for line feed and tab, soft hyphen, Arabic mark, zero-width and bidi signs, fillers, variation selectors and tag characters: what a person would not see.
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/u;

export type ParsedCommand =
  | { readonly isClear: true; readonly script: ParsedScript; readonly tree: unknown }
  | { readonly isClear: false; readonly because: string };

/** The syntax tree of a command line, and all of it as plain values where there is more to it than words; what is too long, hides characters or does not parse is not clear. Never throws. */
export function parseCommand(command: string): ParsedCommand {
  if (command.length > MAX_CHARS) return unclear(`it is longer than ${MAX_CHARS} characters`);
  const unseen = UNSEEN.exec(command)?.[0];
  if (unseen !== undefined) return unclear(`it holds ${nameOf(unseen)}, which is not shown`);
  if (/[\ud800-\udfff]/u.test(command)) return unclear('it holds half of a character');
  try {
    const script = parse(command);
    const error = script.errors?.[0];
    if (error !== undefined) return unclear(`bash would not read it: ${error.message}`);
    const tree = /["'`$(<\\]/.test(command) ? wholeTree(script) : null;
    return uncoveredText(tree, command) === null ? { isClear: true, script, tree } : unclear('a piece of it is not understood');
  } catch {
    // Deep nesting overflows the stack of the parser.
    return unclear('it is nested too deeply');
  }
}

/** Most of a tree is made when it is asked for, and only its JSON holds all of it. */
function wholeTree(script: ParsedScript): unknown {
  return JSON.parse(JSON.stringify(script));
}

function unclear(because: string): ParsedCommand {
  return { isClear: false, because };
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
