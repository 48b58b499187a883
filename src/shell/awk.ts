import { type Finding, onlyReads } from './finding.ts';
import { FILE, type Place, pathsOf } from './folders.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';

const PROGRAMS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'nawk']);
const MAX_CHARS = 1000;
// What starts programs, reads or writes other files, shows the environment, or reaches any of that by another name. An @ loads or calls
// by name; a line that goes on with a backslash might hide a word.
const HAZARDS = /system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARG[VC]|close|fflush|extension|@|\\\r?\n/;

/**
 * Judges `awk` where its program is there to be read and can do no more than compute and print. Null for any other, which is code.
 * To write a file or to start a program takes `>` or `|` behind `print`, or one of few words: where `print` comes after all of these
 * signs, they compare or stand in a pattern. Source: POSIX awk, output redirection.
 */
export function inspectAwk(program: string, args: readonly ShellWord[], place: Place): Finding | null {
  if (!PROGRAMS.has(program)) return null;
  const { refusal, operands } = readOptions(program, args, { values: 'Fv' });
  const [code, ...files] = operands;
  if (refusal !== null || code === undefined || code.value === null || !isInert(code.value)) return null;
  return onlyReads(
    `${program} only computes and prints`,
    files.flatMap((word) => pathsOf(word, place, FILE)),
  );
}

function isInert(code: string): boolean {
  if (code.length > MAX_CHARS || HAZARDS.test(code)) return false;
  const print = code.indexOf('print');
  const signs = code.replaceAll('||', '  ').replaceAll('>=', '  ');
  return print < 0 || !/[>|]/.test(signs.slice(print));
}
