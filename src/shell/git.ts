import { resolve } from 'node:path';
import { acts, actsBeyondPrefix, actsBeyondRules, type Finding, onlyReads } from './finding.ts';
import { foldersAfterCd, NAMES_BELOW, type Place, pathsAt, pathsOf, TREE } from './folders.ts';
import policies from './git-policy.json' with { type: 'json' };
import { mayTakeNext, type OptionPolicy, type ReadOptions, readOptions } from './read-options.ts';
import type { PathUse } from './report.ts';
import type { ShellWord } from './shell-word.ts';
import { transfers } from './transfers.ts';

/** What a sub-command of git may be given and still only read. */
interface GitPolicy extends OptionPolicy {
  /** Groups of options that it shares with others. */
  readonly groups?: readonly string[];
  /** At most so many operands. */
  readonly max?: number;
  /** The first operand must be one of these. */
  readonly verbs?: readonly string[];
  /** One of these options must be given, but where nothing is. */
  readonly needs?: readonly string[];
  /** True where it reads without any operand too, for one that has verbs. */
  readonly isBareRead?: boolean;
  /** True where it shows names and no content. */
  readonly isNames?: boolean;
}

const READERS = new Map(Object.entries(policies.readers as unknown as Readonly<Record<string, GitPolicy>>));
const GROUPS = new Map(Object.entries(policies.groups as unknown as Readonly<Record<string, OptionPolicy>>));
const NETWORK = new Set(policies.network);
const CODE = new Set(policies.code);
const HAZARDS = policies.hazards as unknown as Readonly<Record<string, readonly string[]>>;
const INERT_GLOBALS = new Set(['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects']);

/** Judges `git`: which sub-command it is, where it works, and whether an option writes, executes or connects. */
export function inspectGit(words: readonly ShellWord[], place: Place): Finding {
  const { rest, target, refusal } = readGlobals(words.slice(1));
  const gitPlace = target === null ? place : { ...place, folders: foldersAfterCd(target, place) };
  const gitFolder = folderOf(gitPlace);
  const plain = plainWordsOf(words);
  const details = { gitFolder, reads: readsOf(null, gitPlace), ...plain };
  const beyondPrefix = target === null ? null : 'git -C works in another folder';
  if (refusal !== null) return actsBeyondRules(refusal, details);
  const verb = rest[0]?.value;
  if (rest.length === 0 || verb === '--version' || verb === 'version')
    return onlyReads('git tells its version', [], { gitFolder, ...plain });
  if (verb === null || verb === undefined) return actsBeyondPrefix('the sub-command of git is known only at run time', details);
  const args = rest.slice(1);
  const why = readerRefusal(verb, args);
  if (why === null) {
    return onlyReads(`git ${verb} only reads`, [...readsOf(verb, gitPlace), ...outsidePaths(verb, args, gitPlace)], {
      gitFolder,
      beyondPrefix,
      ...plain,
    });
  }
  const needsNetwork = NETWORK.has(verb) || (verb === 'remote' && ['update', 'show', 'prune'].includes(args[0]?.value ?? ''));
  const hazard = hazardOf(verb, args) ?? beyondPrefix;
  return acts(why, {
    ...details,
    writes: verb === 'mv' ? movedBy(args, gitPlace) : [],
    needsNetwork,
    beyondPrefix: hazard,
    beyondRules: CODE.has(verb) ? `git ${verb} runs a program` : null,
  });
}

/** What `git mv` moves is gone from where it was, and may be anything where it comes to lie. */
function movedBy(args: readonly ShellWord[], place: Place): readonly PathUse[] {
  const operands = args.filter(({ start }) => !start.startsWith('-'));
  const { reads, landings } = transfers(operands, place, TREE);
  return [...reads, ...landings];
}

interface Globals {
  readonly rest: readonly ShellWord[];
  /** The folder of `-C`. */
  readonly target: string | null;
  readonly refusal: string | null;
}

/** Reads what stands before the sub-command. `-c`, `--exec-path` and their like make git run what they name. */
function readGlobals(args: readonly ShellWord[]): Globals {
  let target: string | null = null;
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] as ShellWord;
    if (word.value === null || !word.value.startsWith('-') || word.value === '--version') break;
    if (INERT_GLOBALS.has(word.value)) continue;
    const folder = args[at + 1]?.value;
    if (word.value !== '-C' || folder === null || folder === undefined) {
      return { rest: [], target, refusal: `git ${word.value.split('=', 1)[0] ?? ''} changes how git works` };
    }
    target = target === null ? folder : resolve('/', target) === target ? resolve(target, folder) : `${target}/${folder}`;
    at += 1;
  }
  return { rest: args.slice(at), target, refusal: null };
}

function readsOf(verb: string | null, place: Place): readonly PathUse[] {
  const extent = verb !== null && READERS.get(verb)?.isNames === true ? NAMES_BELOW : TREE;
  return place.folders === null ? [{ path: null, ...extent }] : pathsAt('.', place, extent);
}

/** `git diff` compares any two files when one lies outside of the repository, however its name leads there. */
function outsidePaths(verb: string, args: readonly ShellWord[], place: Place): readonly PathUse[] {
  const climbing = args.filter(({ start }) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(start));
  const unknown = args.filter(({ value, start }) => value === null && !start.startsWith('-'));
  const mayCompareFiles = verb === 'diff' && args.filter(({ start }) => !start.startsWith('-')).length > 1;
  return [...climbing, ...(mayCompareFiles ? unknown : [])].flatMap((word) => pathsOf(word, place, TREE));
}

const GLOBALS_WITH_VALUE = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--attr-source',
]);

/** `git -C . push` as `git push`; nothing where it stands so already. */
function plainWordsOf(words: readonly ShellWord[]): Pick<Finding, 'plainWords'> {
  let at = 1;
  while (words[at]?.start.startsWith('-') === true) at += GLOBALS_WITH_VALUE.has(words[at]?.value ?? '') ? 2 : 1;
  if (at === 1 && words[0]?.value === 'git') return {};
  return { plainWords: ['git', ...words.slice(at).map(({ value }) => value)] };
}

function folderOf({ folders }: Place): string | null {
  return folders !== null && folders.length === 1 ? (folders[0] ?? null) : null;
}

/** Why it does more than read; null where it only reads. */
function readerRefusal(verb: string, args: readonly ShellWord[]): string | null {
  const policy = READERS.get(verb);
  if (policy === undefined) return `git ${verb} changes the repository`;
  const first = args[0]?.value;
  const { verbs, needs } = policy;
  const isVerb = verbs !== undefined && first !== null && first !== undefined && verbs.includes(first);
  const isBare = args.every(({ value }) => value?.startsWith('-') === true) && policy.isBareRead === true;
  if (verbs !== undefined && !isVerb && !isBare && needs === undefined) return `git ${verb} changes the repository`;
  if (verb === 'config' && asksForName(args)) return null;
  if (args.some(mayCheckSignatures)) return `git ${verb} may check signatures with another program`;
  const options = readOptions(`git ${verb}`, isVerb ? args.slice(1) : args, withGroups(policy));
  if (options.refusal !== null) return options.refusal;
  if (
    needs !== undefined &&
    !isVerb &&
    (verbs !== undefined || options.operands.length > 0) &&
    !options.given.some(({ name }) => needs.includes(name))
  ) {
    return `git ${verb} changes the repository`;
  }
  return tooMany(options, policy) ? `git ${verb} with an operand changes the repository` : null;
}

/** `git config user.name`: one name, and no value to set it to. */
function asksForName(args: readonly ShellWord[]): boolean {
  const name = args.at(-1)?.value ?? '';
  const scopes = args.slice(0, -1).map(({ value }) => value ?? '');
  return (
    /^[a-zA-Z][\w-]*(?:\.[\w-]+)+$/.test(name) && scopes.every((scope) => ['--global', '--local', '--system'].includes(scope))
  );
}

/** `%G?` in a format starts gpg, or what the configuration names instead. */
function mayCheckSignatures({ text, value, start }: ShellWord): boolean {
  return /%G|%\(signature/.test(text) || (value === null && /^--(?:format|pretty)=/.test(start));
}

function tooMany({ operands, given }: ReadOptions, { max, needs }: GitPolicy): boolean {
  if (max === undefined || (needs !== undefined && given.some(({ name }) => needs.includes(name)))) return false;
  return operands.length > max || operands.some(({ kind }) => kind === 'split' || kind === 'pattern');
}

function withGroups(policy: GitPolicy): OptionPolicy {
  const all = [policy, ...(policy.groups ?? []).flatMap((name) => GROUPS.get(name) ?? [])];
  const own = (policy.flags ?? '') + (policy.attached ?? '');
  const values = all.map((one) => one.values ?? '').join('');
  return {
    flags: all.map(({ flags }) => flags ?? '').join(''),
    // A letter of its own means something else than in the groups that it shares.
    values: [...values].filter((letter) => !own.includes(letter)).join(''),
    attached: all.map(({ attached }) => attached ?? '').join(''),
    dashValues: all.flatMap(({ dashValues }) => dashValues ?? []),
    long: all.flatMap(({ long }) => long ?? []),
    longValues: all.flatMap(({ longValues }) => longValues ?? []),
  };
}

/** An option that writes or executes, also abbreviated; a rule for `git log:*` was not meant for it. */
function hazardOf(verb: string, args: readonly ShellWord[]): string | null {
  const hazards = [...(HAZARDS['*'] ?? []), ...(HAZARDS[verb] ?? [])];
  for (const [at, word] of args.entries()) {
    if (word.value === '--') {
      const isOption = mayTakeNext(args[at - 1]) && args.slice(at + 1).some(({ start }) => start.startsWith('-'));
      return isOption ? `git ${verb} may take -- for the value of an option` : null;
    }
    if (isMessage(verb, args[at - 1], word)) continue;
    if (word.value === null && !/^[^-]/.test(word.start) && !isKnownOption(word.start, hazards)) {
      return `an argument of git ${verb} is known only at run time and may be an option`;
    }
    const option = /^-[^=]*/.exec(word.start)?.[0];
    if (option !== undefined && !isListed(verb, option) && hazards.some((hazard) => isFormOf(option, hazard))) {
      return `git ${verb} ${option} writes, executes, connects elsewhere, or takes in what git ignores`;
    }
    if (hazards.includes(word.start) && word.value !== null)
      return `git ${verb} ${word.start} runs a program or changes how git works`;
  }
  if (READERS.has(verb) && policies.closed.includes(verb)) return readerRefusal(verb, args);
  return null;
}

/** The value of `-m`, whatever it says. */
function isMessage(verb: string, before: ShellWord | undefined, word: ShellWord): boolean {
  const isOption = before?.value === '--message' || /^-[aqsnve]*m$/.test(before?.value ?? '');
  return isOption && (word.kind === 'quoted' || word.kind === 'known') && ['commit', 'tag', 'merge'].includes(verb);
}

function isListed(verb: string, option: string): boolean {
  const policy = READERS.get(verb);
  return policy !== undefined && option.startsWith('--') && withGroups(policy).long?.includes(option.slice(2)) === true;
}

/** `--message="$x"`: only the value is not known. */
function isKnownOption(start: string, hazards: readonly string[]): boolean {
  const option = /^--[\w-]+(?==)/.exec(start)?.[0];
  return option !== undefined && !hazards.some((hazard) => isFormOf(option, hazard));
}

/** `--outp` is short for `--output`, `-Ox` is `-O x`, and `-aux` may hold `-u`. */
function isFormOf(option: string, hazard: string): boolean {
  if (hazard.startsWith('--')) return option.length > 3 && hazard.startsWith(option);
  return /^-[^-]/.test(hazard) && /^-[^-]/.test(option) && option.includes(hazard.slice(1));
}
