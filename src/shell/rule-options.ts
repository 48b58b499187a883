import { type OptionPolicy, type ReadOptions, readOptions } from './read-options.ts';
import ruleOptions from './rule-options.json' with { type: 'json' };
import type { ShellWord } from './shell-word.ts';

type Shape = keyof typeof ruleOptions.like;

/** What a rule for a beginning such as `tar:*` covers: options that write, execute or connect only as the words before them say. */
interface RuleOptions extends OptionPolicy {
  readonly operandsLike?: Shape;
  readonly valuesLike?: Readonly<Record<string, Shape>>;
  /** What is handed on to the project: what stands behind `--`, or behind the name of a script too. */
  readonly passesOn?: 'marked' | 'script';
}

const PROGRAMS = new Map(Object.entries(ruleOptions.programs as unknown as Readonly<Record<string, RuleOptions>>));
const ALIASES = new Map(Object.entries(ruleOptions.aliases));
const SHAPES = new Map(Object.entries(ruleOptions.like).map(([name, pattern]) => [name, new RegExp(pattern, 's')]));

/** Why a rule for the beginning of this command does not cover all of it; null where it does, or where the program is not listed. */
export function optionBeyondRule(program: string, args: readonly ShellWord[]): string | null {
  const policy = PROGRAMS.get(ALIASES.get(program) ?? program);
  if (policy === undefined) return null;
  const { refusal, operands, given } = readOptions(program, ownArguments(args, policy), policy);
  if (refusal !== null) return `an option of ${program} may write, execute or connect elsewhere`;
  const operand = operands.find((word) => !isLike(word, policy.operandsLike));
  const value = given.find((option) => option.value !== null && !isLike(option.value, policy.valuesLike?.[option.name]))?.value;
  const odd = operand ?? value;
  return odd === undefined || odd === null ? null : `${program} ${odd.text} reads, writes or connects elsewhere`;
}

/** The options and operands of a listed program, as far as they are harmless. */
export function readRuleOptions(program: string, args: readonly ShellWord[]): ReadOptions {
  return readOptions(program, args, PROGRAMS.get(program) ?? {});
}

/** The arguments that are for the program itself. */
function ownArguments(args: readonly ShellWord[], { passesOn }: RuleOptions): readonly ShellWord[] {
  if (passesOn === undefined) return args;
  const mark = args.findIndex(({ value }) => value === '--');
  const own = mark < 0 ? args : args.slice(0, mark);
  const script = own[0]?.value === 'run' ? 1 : 0;
  const isScript =
    passesOn === 'script' && /^[\w:.-]+$/.test(own[script]?.value ?? '') && own[script]?.value?.startsWith('-') !== true;
  return isScript ? own.slice(0, script + 1) : own;
}

/** A word known only at run time is like what it begins with, and like nothing where that is not known. */
function isLike(word: ShellWord, shape: Shape | undefined): boolean {
  if (shape === undefined) return true;
  if (word.value === null && (word.start === '' || shape === 'discarded' || shape === 'web')) return false;
  return SHAPES.get(shape)?.test(word.value ?? word.start) === true;
}
