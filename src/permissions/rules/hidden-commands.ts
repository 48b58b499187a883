import { basename } from 'node:path';
import type { ShellPart } from '../../shell/report.ts';
import { hasSubcommands } from '../part-facts.ts';

/**
 * True where a part may run these words though it does not begin with them: behind a program that runs others in a way that is not
 * known here (`taskset -c 0 git push`), or as code that it is given (`trap "git push" EXIT`). What only reads runs nothing.
 */
export function mayRun(part: ShellPart, command: string, wanted: readonly string[]): boolean {
  if (part.effect !== 'acts') return false;
  const [program, ...args] = part.words;
  const isCode = part.beyondRules !== null;
  const isKnown = typeof program === 'string' && hasSubcommands(basename(program)) && !isCode;
  const behind = isKnown ? args.slice(1).filter((word) => word !== null && !/\s/.test(word)) : args;
  if (holdsInOrder(behind.flatMap(piecesOf), wanted)) return true;
  // An interpreter that is given no file reads its code from what stands elsewhere in the command.
  return isCode && part.words.length <= 1 && holdsInOrder(piecesOf(command), wanted);
}

/** A program named by its path is that program. */
function holdsInOrder(words: readonly (string | null)[], [program = '', ...rest]: readonly string[]): boolean {
  const start = words.findIndex(
    (word) => word !== null && (word === program || (word.includes('/') && basename(word) === program)),
  );
  if (start < 0) return false;
  let at = start + 1;
  for (const wanted of rest) {
    at = words.indexOf(wanted, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function piecesOf(word: string | null): readonly (string | null)[] {
  return word === null ? [null] : codeWords(word);
}

/** What may be the words of code that is given in one word. */
export function codeWords(code: string): readonly string[] {
  return code.split(/[\s;&|()<>"'`]+/).filter((piece) => piece !== '');
}
