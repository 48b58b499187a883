import { acts, actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import { NAME, type Place, pathsOf } from './folders.ts';
import type { ShellWord } from './shell-word.ts';
import { isInertInShell } from './variables.ts';

const INERT = new Set([':', 'true', 'false', 'echo', 'exit', 'return', 'break', 'continue', 'times', 'popd', 'shift']);
/** Inert without options: `jobs -x` executes and `wait -p` sets a variable. */
const INERT_WITHOUT_OPTIONS = new Set(['wait', 'jobs', 'dirs']);
const TELL_WITHOUT_OPERANDS = new Set(['alias', 'history']);
/** What changes the shell for all that follows, or runs text as code. */
const GOVERNING = new Set(
  'eval . source trap hash alias unalias enable export declare typeset readonly local set shopt compgen complete compopt mapfile readarray let read unset bind coproc getopts history fc ulimit umask caller logout suspend disown fg bg exec builtin command'.split(
    ' ',
  ),
);

/** Judges what bash does itself; null for what is none of its own. */
export function inspectBuiltin(name: string, args: readonly ShellWord[], place: Place): Finding | null {
  if (INERT.has(name)) return onlyReads(`${name} changes nothing`);
  if (INERT_WITHOUT_OPTIONS.has(name)) {
    const isInert = args.every(({ value }) => value !== null && !value.startsWith('-'));
    return isInert ? onlyReads(`${name} changes nothing`) : actsBeyondRules(`${name} with options may execute`);
  }
  if (name === 'cd' || name === 'pushd') return inspectCd(args, place);
  if (name === 'test' || name === '[') return inspectTest(name, args, place);
  if (name === 'printf') return inspectPrintf(args);
  if (name === 'type') return inspectType(args);
  if (name === 'read') return inspectRead(args);
  if (name === 'set') return inspectSet(args);
  if (name === 'kill') return acts('kill ends processes');
  if (TELL_WITHOUT_OPERANDS.has(name) && args.length === 0) return onlyReads(`${name} tells what the shell knows`);
  if (name === 'eval') {
    const isKnown = args.every(({ value }) => value !== null);
    return actsBeyondRules('eval runs text as code', { scripts: isKnown ? [args.map(({ text }) => text).join(' ')] : [] });
  }
  return GOVERNING.has(name) ? actsBeyondRules(`${name} changes the shell itself`) : null;
}

function inspectCd(args: readonly ShellWord[], place: Place): Finding {
  return onlyReads(
    'cd changes the folder of what follows',
    args.filter(({ value }) => value === null || !value.startsWith('-')).flatMap((word) => pathsOf(word, place, NAME)),
  );
}

function inspectPrintf([format]: readonly ShellWord[]): Finding {
  if (format === undefined) return onlyReads('printf prints');
  if (format.value === null || format.value.startsWith('-')) return actsBeyondRules('printf may set a variable');
  return /%[^%A-Za-z]*[hjlLtzqwZI]*n/.test(format.value.replaceAll('%%', ''))
    ? actsBeyondRules('printf %n sets a variable')
    : onlyReads('printf prints');
}

function inspectType(args: readonly ShellWord[]): Finding {
  return args.every(({ value }) => value !== null && /^(?:-[aftpP]+|[\w.+-]+)$/.test(value))
    ? onlyReads('type tells what a name means')
    : acts('type with such arguments is not known to only read');
}

/** Plain names only: a subscript in a name is evaluated. */
function inspectRead(args: readonly ShellWord[]): Finding {
  const isPlain = args.every(
    ({ value }, at) =>
      value !== null && (/^-[rs]*[rd]?$/.test(value) || isInertInShell(value) || (value === '' && args[at - 1]?.value === '-d')),
  );
  return isPlain && args.length > 0 ? onlyReads('read takes a line of its input') : actsBeyondRules('read sets variables');
}

/** Only what makes a script stop sooner. */
function inspectSet(args: readonly ShellWord[]): Finding {
  const isStrict =
    args.length > 0 &&
    args.every(
      ({ value }, at) =>
        value !== null && (/^-[euo]+$/.test(value) || (value === 'pipefail' && (args[at - 1]?.value ?? '').endsWith('o'))),
    );
  return isStrict ? onlyReads('set makes the shell stop at a failure') : actsBeyondRules('set changes the shell itself');
}

const FILE_TESTS = new Set([
  '-e',
  '-f',
  '-d',
  '-L',
  '-h',
  '-r',
  '-w',
  '-x',
  '-s',
  '-b',
  '-c',
  '-p',
  '-S',
  '-g',
  '-u',
  '-k',
  '-O',
  '-G',
  '-N',
  '-nt',
  '-ot',
  '-ef',
]);
const TEXT_TESTS = new Set(['-n', '-z', '-t']);
const BINARY = new Set(['=', '==', '!=', '<', '>', '-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef']);

/** Judges `test`: an operand known only at run time must stand where it cannot be taken for `-v`. */
function inspectTest(name: string, args: readonly ShellWord[], place: Place): Finding {
  const words = name === '[' && args.at(-1)?.value === ']' ? args.slice(0, -1) : args;
  const clauses = splitAtJunctions(words);
  if (!clauses.every((clause) => isPlainClause(clause, clauses.length === 1))) {
    return actsBeyondRules(`${name} -v may evaluate code`);
  }
  const isFileTest = words.some(({ value }) => value !== null && FILE_TESTS.has(value));
  const operands = isFileTest ? words.filter(({ value }) => value === null || !isOperator(value)) : [];
  return onlyReads(
    `${name} compares`,
    operands.flatMap((word) => pathsOf(word, place, NAME)),
  );
}

function splitAtJunctions(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const clauses: ShellWord[][] = [[]];
  for (const word of words) {
    if (word.value === '-a' || word.value === '-o') clauses.push([]);
    else clauses.at(-1)?.push(word);
  }
  return clauses;
}

function isPlainClause(clause: readonly ShellWord[], isAlone: boolean): boolean {
  const words = clause[0]?.value === '!' ? clause.slice(1) : clause;
  if (words.some(({ kind }) => kind === 'split' || kind === 'pipe' || kind === 'pattern')) return false;
  const [first, second] = words;
  if (words.length === 0) return isAlone;
  if (words.length === 1) return isAlone || first?.value !== null;
  if (words.length === 2) return first?.value !== undefined && first.value !== null && isUnary(first.value);
  return words.length === 3 && second?.value !== null && BINARY.has(second?.value ?? '');
}

function isUnary(value: string): boolean {
  return TEXT_TESTS.has(value) || (FILE_TESTS.has(value) && value.length === 2);
}

function isOperator(value: string): boolean {
  return isUnary(value) || BINARY.has(value) || value === '!' || value === '-a' || value === '-o';
}
