import { acts, actsBeyondRules, type Finding } from './finding.ts';
import { FILE, type Place, pathsOf } from './folders.ts';
import programs from './programs.json' with { type: 'json' };
import { optionBeyondRule } from './rule-options.ts';
import type { ShellWord } from './shell-word.ts';

const SHELLS = new Set(programs.shells);
const INTERPRETERS = new Set(programs.interpreters);
const CODE_OPTIONS = new Map(Object.entries(programs.codeOptions as Readonly<Record<string, readonly string[]>>));
/** What only ever runs code that stands among its arguments or comes from its input. */
const ALWAYS_CODE = new Set([
  'awk',
  'gawk',
  'mawk',
  'nawk',
  'm4',
  'bc',
  'dc',
  'gdb',
  'lldb',
  'ed',
  'ex',
  'vim',
  'vi',
  'nvim',
  'emacs',
  'sqlite3',
  'psql',
  'mysql',
  'busybox',
  'expect',
]);

/** True for a program that runs whatever code it is handed. */
export function isInterpreter(program: string): boolean {
  return SHELLS.has(program) || INTERPRETERS.has(withoutVersion(program));
}

/** Judges an interpreter; null for any other program. An exact rule may cover a script or module, but no code on the line. */
export function inspectInterpreter(program: string, args: readonly ShellWord[], place: Place): Finding | null {
  if (!isInterpreter(program)) return null;
  const name = withoutVersion(program);
  const script = args.find(({ start, kind }) => kind !== 'split' && start !== '' && !start.startsWith('-'));
  const details = { reads: script === undefined ? [] : pathsOf(script, place, FILE), runsProjectCode: true };
  if (SHELLS.has(program)) return inspectShell(program, args, details);
  if (ALWAYS_CODE.has(name))
    return actsBeyondRules(`what ${program} is handed is code`, { needsNetwork: name === 'psql' || name === 'mysql' });
  if (args.some((word) => isCodeOption(name, word)))
    return actsBeyondRules(`${program} is handed code to run`, { runsProjectCode: true });
  if (script === undefined && !args.some(({ value }) => value?.startsWith('--test') === true || value === '-m')) {
    return actsBeyondRules(`${program} without a file runs what it reads`, { runsProjectCode: true });
  }
  return acts(`${program} runs a script`, { ...details, beyondPrefix: name === 'python' ? moduleOptions(args) : null });
}

/** `python -m pytest` is pytest, and what it may be given is the same. */
function moduleOptions(args: readonly ShellWord[]): string | null {
  const at = args.findIndex(({ value }) => value === '-m');
  return at < 0 ? null : optionBeyondRule(args[at + 1]?.value ?? '', args.slice(at + 2));
}

/** What follows `-c` is a script in its own right, and its commands are shown and judged too. */
function inspectShell(
  program: string,
  args: readonly ShellWord[],
  details: { readonly reads: Finding['reads']; readonly runsProjectCode: boolean },
): Finding {
  const at = args.findIndex(({ value, start }) => (value ?? start).startsWith('-') && /^-[a-zA-Z]*c/.test(value ?? start));
  if (at >= 0) {
    const script = args[at + 1]?.value;
    return actsBeyondRules(`${program} is handed code to run`, {
      scripts: script === null || script === undefined ? [] : [script],
    });
  }
  const [first] = args;
  if (first === undefined || first.value === null || first.value.startsWith('-') || first.value.startsWith('+')) {
    return actsBeyondRules(`${program} runs what it reads`);
  }
  return acts(`${program} runs a script`, details);
}

function isCodeOption(name: string, { value, start }: ShellWord): boolean {
  const text = value ?? start;
  const options = CODE_OPTIONS.get(name) ?? [];
  if (text === '' || text === '-') return true;
  const option = text.split('=', 1)[0] ?? text;
  if (option.startsWith('--'))
    return option.length > 3 && options.some((hazard) => hazard.startsWith('--') && hazard.startsWith(option));
  return options.some((hazard) => (hazard.startsWith('-') ? isShortForm(option, hazard) : option === hazard));
}

/** `-Bc` holds `-c`; the letters of `-m` name a module. */
function isShortForm(option: string, hazard: string): boolean {
  return hazard.length === 2 && /^-[a-zA-Z]/.test(option) && !option.startsWith('-m') && option.includes(hazard.slice(1));
}

/** `python3.12` is python. */
function withoutVersion(program: string): string {
  return /^(?:python|pypy|ruby|perl|php|lua|node)(?=[\d.]*$)/.exec(program)?.[0] ?? program;
}
