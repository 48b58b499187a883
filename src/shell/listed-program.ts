import { acts, actsBeyondPrefix, changesFiles, type Finding, onlyReads } from './finding.ts';
import flagPolicy from './flag-policy.json' with { type: 'json' };
import { type Extent, FILE, NAME, NAMES_BELOW, type Place, pathsAt, pathsOf, TREE } from './folders.ts';
import { type OptionPolicy, type ReadOptions, readOptions } from './read-options.ts';
import type { PathUse } from './report.ts';
import type { ShellWord } from './shell-word.ts';
import { transfers } from './transfers.ts';

type OperandKind = 'files' | 'names' | 'pattern' | 'text' | 'none' | 'plus' | 'processes' | 'writes' | 'copies' | 'moves';

interface ProgramPolicy extends OptionPolicy {
  /** What the operands are; `pattern`: the first is none of the files. */
  readonly operands: OperandKind;
  readonly max?: number;
  readonly effect?: 'files';
  /** Options whose value is a file that is read. */
  readonly readsFrom?: readonly string[];
  /** Options that stand in for the pattern. */
  readonly patternFrom?: readonly string[];
  readonly deepWith?: readonly string[];
  readonly isDeep?: boolean;
  /** True where no operand means the working folder. */
  readonly defaultsToFolder?: boolean;
  /** Operands that begin with one of these letters are options or files of options. */
  readonly refusedStart?: string;
  /** True where a link that it moves stays a link. */
  readonly makesLinks?: boolean;
  /** Options that may make it copy a link as a link. */
  readonly linksWith?: readonly string[];
  /** Those of them that always do, also for what it is given by name. */
  readonly actsWith?: readonly string[];
}

const POLICIES = new Map(Object.entries(flagPolicy as unknown as Readonly<Record<string, ProgramPolicy>>));

/** Judges a program that the table of flags lists, or gives null for one that it does not. */
export function inspectListed(program: string, args: readonly ShellWord[], place: Place): Finding | null {
  const policy = POLICIES.get(program);
  if (policy === undefined) return null;
  const options = readOptions(program, args, policy);
  const refusal = options.refusal ?? operandRefusal(program, options, policy) ?? (program === 'ps' ? lettersRefusal(args) : null);
  const uses = usesOf(options, policy, place);
  if (refusal !== null) return actsBeyondPrefix(refusal, uses);
  if (policy.effect === 'files') return transferred(program, uses, { options, policy });
  return onlyReads(`${program} only reads`, uses.reads);
}

function transferred(
  program: string,
  uses: Uses,
  { options, policy }: { readonly options: ReadOptions; readonly policy: ProgramPolicy },
): Finding {
  const isGiven = (names: readonly string[] | undefined): boolean =>
    options.given.some(({ name }) => names?.includes(name) === true);
  const details = { ...uses, mayMakeLinks: policy.makesLinks === true || isGiven(policy.linksWith) };
  if (isGiven(policy.actsWith)) return acts(`${program} copies links as links`, details);
  return changesFiles(`${program} changes files`, details);
}

function operandRefusal(program: string, { operands, given }: ReadOptions, policy: ProgramPolicy): string | null {
  if (
    policy.refusedStart !== undefined &&
    operands.some(({ start }) => start === '' || policy.refusedStart?.includes(start[0] ?? '') === true)
  )
    return `${program} takes such an operand for more than a file`;
  if (policy.max !== undefined && operands.length > policy.max) return `the last operand of ${program} is a file that it writes`;
  if (policy.max !== undefined && operands.some(({ kind }) => kind === 'pattern' || kind === 'split')) {
    return `${program} may be handed a file to write`;
  }
  if (policy.operands === 'none' && operands.length > 0) return `${program} with an operand may change something`;
  if (policy.operands === 'plus' && !operands.every(({ start }) => start.startsWith('+'))) return `${program} may set the clock`;
  if (policy.operands === 'processes') return environmentRefusal(operands, given);
  return program === 'jq' ? filterRefusal(operands[0]) : null;
}

/** `ps e` and `ps -o environ` show what other processes hold in their environment. */
function environmentRefusal(operands: readonly ShellWord[], given: ReadOptions['given']): string | null {
  const shows =
    !operands.every(({ value }) => value !== null && /^(?:[auxwjlfTr]+|[\d,]+)$/.test(value)) ||
    given.some(({ value }) => value !== null && (value.value === null || /env/i.test(value.value)));
  return shows ? 'ps may show the environment of other processes' : null;
}

/** `ps -ue` names no user e: ps falls back to letters of another kind, and e shows environments. */
function lettersRefusal(args: readonly ShellWord[]): string | null {
  return args.some(({ start }) => /^-[a-zA-Z]*[upgGtC](?![\d,]*$)/.test(start))
    ? 'ps may take letters behind -u and its like for others'
    : null;
}

function filterRefusal(filter: ShellWord | undefined): string | null {
  if (filter === undefined) return null;
  if (filter.value === null) return 'the filter of jq is known only at run time';
  return /\b(?:env|ENV|import|include)\b/.test(filter.value) ? 'the filter of jq reads the environment or other files' : null;
}

interface Uses {
  readonly reads: readonly PathUse[];
  readonly writes: readonly PathUse[];
}

function usesOf({ operands, given }: ReadOptions, policy: ProgramPolicy, place: Place): Uses {
  const isDeep = policy.isDeep === true || given.some(({ name }) => policy.deepWith?.includes(name) === true);
  const named = given.flatMap(({ name, value }) =>
    value !== null && (policy.readsFrom?.includes(name) === true || mayBeSeveral(value))
      ? pathsOf(value, place, isDeep ? TREE : FILE)
      : [],
  );
  switch (policy.operands) {
    case 'files':
      return { reads: [...named, ...each(operands, place, isDeep ? TREE : FILE)], writes: [] };
    case 'names':
      return { reads: [...named, ...orFolder(operands, policy, place, isDeep ? NAMES_BELOW : NAME)], writes: [] };
    case 'pattern': {
      const hasPattern = given.some(({ name }) => policy.patternFrom?.includes(name) === true);
      const files = hasPattern ? operands : operands.slice(1);
      const extent = isDeep ? TREE : FILE;
      const more = hasPattern ? [] : each(operands.slice(0, 1).filter(mayBeSeveral), place, extent);
      return { reads: [...named, ...more, ...orFolder(files, { ...policy, isDeep }, place, extent)], writes: [] };
    }
    case 'writes':
      return { reads: [], writes: each(operands, place, FILE) };
    case 'copies':
    case 'moves':
      return transferUses(operands, place, { isDeep, isMove: policy.operands === 'moves' });
    case 'text':
    case 'none':
    case 'plus':
    case 'processes':
      return { reads: named, writes: [] };
  }
}

/** Of several words in the place of one, such as `{1,.env}` behind `head -n`, all but the first are files. */
function mayBeSeveral({ kind }: ShellWord): boolean {
  return kind === 'split' || kind === 'pattern';
}

function each(operands: readonly ShellWord[], place: Place, extent: Extent): readonly PathUse[] {
  return operands.flatMap((operand) => pathsOf(operand, place, extent));
}

function orFolder(
  operands: readonly ShellWord[],
  { defaultsToFolder, isDeep }: ProgramPolicy,
  place: Place,
  extent: Extent,
): readonly PathUse[] {
  if (operands.length > 0) return each(operands, place, extent);
  return defaultsToFolder === true || isDeep === true ? pathsAt('.', place, extent) : [];
}

function transferUses(
  operands: readonly ShellWord[],
  place: Place,
  { isDeep, isMove }: { readonly isDeep: boolean; readonly isMove: boolean },
): Uses {
  const { reads, landings } = transfers(operands, place, isMove || isDeep ? TREE : FILE);
  return { reads, writes: [...(isMove ? reads : []), ...landings] };
}
