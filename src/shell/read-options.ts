import { isSurelyOperand, knownWord, type ShellWord } from './shell-word.ts';

/** The options of a program that are known to do no harm. Each other option is refused, abbreviations too. */
export interface OptionPolicy {
  /** Letters that stand alone. */
  readonly flags?: string;
  /** Letters that take a value. */
  readonly values?: string;
  /** Letters that may carry a value right behind them, and never take the next word. */
  readonly attached?: string;
  /** Options whose value may begin with a dash, as a pattern may. For others such a value is more likely an option. */
  readonly dashValues?: readonly string[];
  /** Long options, which may carry a value behind `=`. */
  readonly long?: readonly string[];
  /** Long options that take a value, behind `=` or as the next word. */
  readonly longValues?: readonly string[];
  /** True for words such as `-name`, of one dash and more than one letter, taken whole. */
  readonly isSingleDash?: boolean;
  /** True where none of its options writes, executes or connects: a word known only at run time may be anything. */
  readonly isTolerant?: boolean;
}

export interface ReadOptions {
  /** Why the words are not understood; null where they are. */
  readonly refusal: string | null;
  readonly operands: readonly ShellWord[];
  /** Letters and long names that were given, with their values. */
  readonly given: readonly GivenOption[];
}

export interface GivenOption {
  readonly name: string;
  readonly value: ShellWord | null;
}

/** Sorts the arguments of a program into options and operands. */
export function readOptions(program: string, args: readonly ShellWord[], policy: OptionPolicy): ReadOptions {
  const operands: ShellWord[] = [];
  const given: GivenOption[] = [];
  const refuse = (why: string): ReadOptions => ({ refusal: why, operands, given });
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    if (word.value === '--') {
      const behind = args.slice(at + 1);
      if (mayTakeNext(args[at - 1]) && behind.some(({ start }) => start.startsWith('-'))) {
        return refuse(`${program} may take -- for the value of an option`);
      }
      return { refusal: null, operands: [...operands, ...behind], given };
    }
    if (word.value === '-' || isSurelyOperand(word)) operands.push(word);
    else if (word.value === '') operands.push(word);
    else if (word.value === null && word.start.startsWith('-')) {
      const option = partlyKnown(word, policy);
      if (option === null) return refuse(`an option of ${program} is known only at run time`);
      given.push(option);
    } else if (word.value === null) {
      if (policy.isTolerant !== true) return refuse(`an argument of ${program} is known only at run time and may be an option`);
      operands.push(word);
    } else {
      const read = readOption(word.value, args[at + 1], policy);
      if (read === null) return refuse(`${program} ${word.value.split('=', 1)[0] ?? ''} is not known to only read`);
      given.push(...read.given);
      at += read.taken;
    }
  }
  return { refusal: null, operands, given };
}

interface OptionRead {
  readonly given: readonly GivenOption[];
  readonly taken: 0 | 1;
}

function readOption(text: string, next: ShellWord | undefined, policy: OptionPolicy): OptionRead | null {
  if (text.startsWith('--')) return readLong(text, text.slice(2), next, policy);
  if (policy.isSingleDash === true) return readLong(text, text.slice(1), next, policy);
  return readLetters(text.slice(1), next, policy);
}

function readLong(text: string, body: string, next: ShellWord | undefined, policy: OptionPolicy): OptionRead | null {
  const [name = '', ...rest] = body.split('=');
  const attached = text.includes('=') ? knownWord(rest.join('=')) : null;
  if (policy.long?.includes(name) === true) return { given: [{ name, value: attached }], taken: 0 };
  if (policy.longValues?.includes(name) !== true) return null;
  if (attached !== null) return { given: [{ name, value: attached }], taken: 0 };
  return next === undefined || !isValue(name, next, policy) ? null : { given: [{ name, value: next }], taken: 1 };
}

function readLetters(letters: string, next: ShellWord | undefined, policy: OptionPolicy): OptionRead | null {
  const given: GivenOption[] = [];
  for (const [at, letter] of [...letters].entries()) {
    if (policy.values?.includes(letter) === true) {
      const rest = letters.slice(at + 1);
      if (rest !== '') return { given: [...given, { name: letter, value: knownWord(rest) }], taken: 0 };
      if (next === undefined || !isValue(letter, next, policy)) return null;
      return { given: [...given, { name: letter, value: next }], taken: 1 };
    }
    if (policy.attached?.includes(letter) === true) {
      const rest = letters.slice(at + 1);
      return { given: [...given, { name: letter, value: rest === '' ? null : knownWord(rest) }], taken: 0 };
    }
    if (policy.flags?.includes(letter) !== true) return null;
    given.push({ name: letter, value: null });
  }
  return { given, taken: 0 };
}

/** A long option that needs a value takes whatever stands behind it, even the sign that options end. */
export function mayTakeNext(word: ShellWord | undefined): boolean {
  return word !== undefined && word.start.startsWith('--') && !word.start.includes('=');
}

/** A value that may be several words could bring an option along, and one with a dash in front may be an option. */
function isValue(name: string, word: ShellWord, policy: OptionPolicy): boolean {
  if (/^-./.test(word.start) && !/^-\d[\d,]*[kKMGb]?$/.test(word.start)) {
    if (word.value === null || policy.dashValues?.includes(name) !== true) return false;
  }
  return policy.isTolerant === true || word.kind === 'known' || word.kind === 'quoted' || isSurelyOperand(word);
}

/** `--grep="$x"` and `-n"$x"`: the option is known, and only its value is not. */
function partlyKnown(word: ShellWord, policy: OptionPolicy): GivenOption | null {
  if (word.kind === 'split' && policy.isTolerant !== true) return null;
  const long = /^--([\w-]+)=/.exec(word.start)?.[1];
  const value = { ...word, start: '' };
  if (long !== undefined) {
    return policy.long?.includes(long) === true || policy.longValues?.includes(long) === true ? { name: long, value } : null;
  }
  const letter = /^-(\w)/.exec(word.start)?.[1];
  return letter !== undefined && policy.values?.includes(letter) === true ? { name: letter, value } : null;
}
