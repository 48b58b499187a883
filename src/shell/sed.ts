import { actsBeyondPrefix, actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import { FILE, type Place, pathsOf } from './folders.ts';
import { readOptions } from './read-options.ts';
import type { ShellWord } from './shell-word.ts';

const POLICY = {
  flags: 'nErsuz',
  values: 'e',
  long: ['quiet', 'silent', 'regexp-extended', 'separate', 'unbuffered', 'null-data', 'posix', 'debug', 'help', 'version'],
  longValues: ['expression'],
} as const;

const MARKS = ['/', '\\|', '#', ',', ':', '@', '~', '!', '%'];
// Some seds let a delimiter stand inside brackets and some do not, so there it is not understood.
const regexUpTo = (mark: string): string =>
  `(?:[^${mark}\\\\\\n[]|\\\\[^\\n]|\\[\\^?\\]?(?:[^\\]${mark}\\\\\\n]|\\\\[^\\n\\]])*\\])*`;
const textUpTo = (mark: string): string => `(?:[^${mark}\\\\\\n]|\\\\[^\\n])*`;
const ADDRESS = `(?:\\d+(?:~\\d+)?|\\$|/${regexUpTo('/')}/I?)`;
const ADDRESSES = `(?:${ADDRESS}(?: *, *(?:${ADDRESS}|[+~]\\d+))?)? *!? *`;
const SUBSTITUTION = MARKS.map((mark) => `s${mark}${regexUpTo(mark)}${mark}${textUpTo(mark)}${mark}[gpI\\d]*`).join('|');
const TRANSLATION = `y/${textUpTo('/')}/${textUpTo('/')}/`;
// Prints, deletes, quits, counts and substitutes. Not w, W, e, r, R, a, i, c, nor what branches.
const COMMAND = new RegExp(`${ADDRESSES}(?:(?:[pdq=PDlnNhHgGx]|${SUBSTITUTION}|${TRANSLATION}) *(?=[;\\n}]|$)|\\{)|\\}`, 'y');

/** Judges `sed`: its scripts are code that can write and execute, and only plain printing, deleting and substituting is not. */
export function inspectSed(args: readonly ShellWord[], place: Place): Finding {
  const options = readOptions('sed', args, POLICY);
  const given = options.given.filter(({ name }) => name === 'e' || name === 'expression').map(({ value }) => value);
  const scripts = given.length > 0 ? given : options.operands.slice(0, 1);
  const files = given.length > 0 ? options.operands : options.operands.slice(1);
  const reads = files.flatMap((file) => pathsOf(file, place, FILE));
  if (options.refusal !== null) return actsBeyondPrefix(options.refusal, { reads });
  const isInert = scripts.every((script) => script !== null && script.value !== null && isInertScript(script.value));
  return isInert
    ? onlyReads('sed prints lines', reads)
    : actsBeyondRules('a sed script is code that can write and execute', { reads });
}

function isInertScript(script: string): boolean {
  let at = 0;
  while (at < script.length) {
    const gap = /[\s;]*/y;
    gap.lastIndex = at;
    at += gap.exec(script)?.[0].length ?? 0;
    if (at === script.length) return true;
    COMMAND.lastIndex = at;
    const command = COMMAND.exec(script)?.[0];
    if (command === undefined) return false;
    at += command.length;
  }
  return true;
}
