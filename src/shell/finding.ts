import type { PathUse, ShellPart } from './report.ts';
import type { ShellWord } from './shell-word.ts';

/** What is known of one program and its arguments. */
export interface Finding extends Omit<ShellPart, 'text' | 'words'> {
  /** The words of the part itself, where the rest of them is a command of its own. */
  readonly ownWords: readonly ShellWord[] | null;
  /** Commands that it runs. */
  readonly inner: readonly (readonly ShellWord[])[];
  /** True where they run in folders that are known only at run time. */
  readonly isInnerElsewhere: boolean;
  /** True where what it writes may become a link, which leads elsewhere from then on. */
  readonly mayMakeLinks: boolean;
  /** Scripts that it runs in a shell. */
  readonly scripts: readonly string[];
}

type Details = Partial<Omit<Finding, 'effect' | 'because'>>;

const NOTHING = {
  beyondPrefix: null,
  beyondRules: null,
  reads: [],
  writes: [],
  needsNetwork: false,
  runsProjectCode: false,
  gitFolder: null,
  ownWords: null,
  inner: [],
  isInnerElsewhere: false,
  mayMakeLinks: false,
  scripts: [],
} as const;

export function onlyReads(because: string, reads: readonly PathUse[] = [], details: Details = {}): Finding {
  return { effect: 'reads', because, ...NOTHING, ...details, reads };
}

export function changesFiles(because: string, details: Details): Finding {
  return { effect: 'files', because, ...NOTHING, ...details };
}

export function acts(because: string, details: Details = {}): Finding {
  return { effect: 'acts', because, ...NOTHING, ...details };
}

/** Acts, and a rule for its beginning does not cover it. */
export function actsBeyondPrefix(because: string, details: Details = {}): Finding {
  return acts(because, { ...details, beyondPrefix: because });
}

/** Acts, and no rule covers it. */
export function actsBeyondRules(because: string, details: Details = {}): Finding {
  return acts(because, { ...details, beyondPrefix: because, beyondRules: because });
}
