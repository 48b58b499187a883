import { acts, actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import programs from './programs.json' with { type: 'json' };
import { type OptionPolicy, readOptions } from './read-options.ts';
import { type ShellWord, unknownWord, unknownWords } from './shell-word.ts';
import { isInertForPrograms } from './variables.ts';

interface WrapperPolicy extends OptionPolicy {
  /** So many operands stand before the command. */
  readonly skip?: number;
  /** True where words of the input are added to the command. */
  readonly addsWords?: boolean;
  /** Why running anything through it must ask. */
  readonly acts?: string;
}

const WRAPPERS = new Map(Object.entries(programs.wrappers as unknown as Readonly<Record<string, WrapperPolicy>>));

/** True for a program that runs the command among its arguments. */
export function isWrapper(program: string): boolean {
  return program === 'env' || WRAPPERS.has(program);
}

/** Judges a program that runs another one, which becomes a part of its own; null for any other program. */
export function inspectWrapper(program: string, words: readonly ShellWord[]): Finding | null {
  if (program === 'env') return inspectEnv(words);
  const policy = WRAPPERS.get(program);
  if (policy === undefined) return null;
  const at = commandPlace(program, words, policy);
  const ownWords = at === null ? words : words.slice(0, at);
  const command = at === null ? [] : words.slice(at);
  const inner = command.length > 0 ? [policy.addsWords === true ? withInput(ownWords, command) : command] : [];
  if (policy.acts !== undefined) return actsBeyondRules(policy.acts, { ownWords, inner });
  if (at === null) return actsBeyondRules(`the options of ${program} are not all known`);
  if (program === 'command' && ownWords.length === 1 && /^-[vV]$/.test(command[0]?.value ?? '')) return lookup(words);
  return onlyReads(`${program} runs what follows`, [], { ownWords, inner });
}

function lookup(words: readonly ShellWord[]): Finding {
  const isPlain = words.slice(2).every(({ value }) => value !== null && /^[\w.+-]+$/.test(value));
  return isPlain
    ? onlyReads('command -v tells where a program is')
    : acts('command -v with such arguments is not known to only read');
}

/** Where the command begins; null where that is unclear. `command -v` is left whole. */
function commandPlace(program: string, words: readonly ShellWord[], policy: WrapperPolicy): number | null {
  const isLookup = program === 'command' && /^-[vV]$/.test(words[1]?.value ?? '');
  if (isLookup) return 1;
  let at = 1;
  while (at < words.length) {
    const word = words[at] as ShellWord;
    if (word.value === null) return word.kind === 'quoted' || word.start !== '' ? skipOperands(at, words, policy) : null;
    if (word.value === '--') return skipOperands(at + 1, words, policy);
    if (!word.value.startsWith('-') || word.value === '-') return skipOperands(at, words, policy);
    const next = words[at + 1];
    const alone = readOptions(program, [word], policy);
    if (alone.refusal === null) at += 1;
    else if (next !== undefined && readOptions(program, [word, next], policy).refusal === null) at += 2;
    else return null;
  }
  return at;
}

function skipOperands(at: number, words: readonly ShellWord[], { skip = 0 }: WrapperPolicy): number | null {
  const skipped = words.slice(at, at + skip);
  return skipped.every(({ kind }) => kind === 'known' || kind === 'quoted') ? at + skip : null;
}

/** The command of xargs, with what comes from the input: in the place of the mark, or behind. Of options that say both, the last holds. */
function withInput(ownWords: readonly ShellWord[], command: readonly ShellWord[]): ShellWord[] {
  const marks = replacementMarks(ownWords);
  const isSingle = marks.length === 1 && !ownWords.some(({ start }) => /^(?:-[0rtx]*[nL]|--max-)/.test(start));
  const marked = command.map((word) => withoutMarks(word, marks));
  return isSingle ? marked : [...marked, unknownWords('…')];
}

function withoutMarks(word: ShellWord, marks: readonly string[]): ShellWord {
  const places = marks.map((mark) => word.value?.indexOf(mark) ?? -1).filter((place) => place >= 0);
  return places.length === 0 ? word : unknownWord(word.text, word.start.slice(0, Math.min(...places)));
}

function replacementMarks(ownWords: readonly ShellWord[]): readonly string[] {
  return ownWords.flatMap(({ value }, at) => {
    if (value === '--replace' || value === '--replace=') return ['{}'];
    const mark = /^(?:-[0rtx]*I|--replace=)(.*)$/s.exec(value ?? '')?.[1];
    if (mark === undefined) return [];
    return [mark === '' ? (ownWords[at + 1]?.value ?? '') : mark];
  });
}

/** `env` alone shows the environment; with a command it may hand it variables that change what it does. */
function inspectEnv(words: readonly ShellWord[]): Finding {
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const name = /^(\w+)=/.exec(word.start)?.[1];
    if (name !== undefined && isInertForPrograms(name) && word.value !== null) continue;
    if (name !== undefined)
      return actsBeyondRules(`env sets ${name}`, { ownWords: words.slice(0, at + 1), inner: rest(words, at + 1) });
    if (word.value === '-i' || word.value === '-' || word.value === '--ignore-environment' || word.value === '-u')
      return actsBeyondRules('env takes settings away that keep programs safe', {
        ownWords: words.slice(0, at + 1),
        inner: rest(words, at + 1),
      });
    if (word.value === null || word.value.startsWith('-')) return actsBeyondRules('the options of env are not all known');
    else break;
  }
  if (at >= words.length) return acts('env shows the environment', { beyondPrefix: null });
  return onlyReads('env runs what follows', [], { ownWords: words.slice(0, at), inner: rest(words, at) });
}

/** Further assignments may follow; they are env's own and are asked about with it. */
function rest(words: readonly ShellWord[], from: number): (readonly ShellWord[])[] {
  const at = words.findIndex(({ start }, place) => place >= from && !/^\w+=/.test(start));
  return at < 0 ? [] : [words.slice(at)];
}
