/** A path that a command names, or that follows from what it does. */
export interface PathUse {
  /** Absolute, by the working folder at that place; links are not resolved. Null where it is known only at run time. */
  readonly path: string | null;
  /** True where all below it is meant too, as in `grep -r` or `rm -r`, and for a pattern such as `src/*.ts`, whose folder this is. */
  readonly isDeep: boolean;
  /** For a pattern such as `src/*.ts` its last part: only what lies in the folder itself and fits it is meant, and no name with a dot in front. */
  readonly namesLike?: string;
  /** For a tree that is copied, moved or linked to this path: where it is now. Absolute, links are not resolved. */
  readonly from?: string;
  /** True where the content is read or shown, and not only whether it is there (`ls`, `stat`). Always true of writes. */
  readonly isContent: boolean;
}

/**
 * What is known of one simple command, redirection, assignment or definition in a command line, in the order in which they stand.
 * What a wrapper runs (`timeout 5 npm test`, `xargs rm`) is a part of its own behind the wrapper's.
 */
export interface ShellPart {
  /** For people and for rules: the words as they are after quoting, joined by one space; what is known only at run time as it was typed. */
  readonly text: string;
  /** The words that rules match. Null for one that is known only at run time; empty where no rule can speak of this part, as of a redirection. */
  readonly words: readonly (string | null)[];
  /** What rules that deny or ask compare besides `words`: the same words without git's global options, so that `git -C . push` is `git push`, and without the folder of a program of the system. Not given where it would be `words` again. */
  readonly plainWords?: readonly (string | null)[];
  /** `reads`: starts no program of the project's choice, writes nothing, opens no connection. `files`: makes, copies or moves just the files it names. `acts`: anything else. */
  readonly effect: 'reads' | 'files' | 'acts';
  /** Why it is not `reads`, or what it reads: half a sentence for a person, such as "sort -o writes a file". */
  readonly because: string;
  /** Why a rule for a beginning of it (`Bash(sort:*)`) must not cover it, whatever the rule: an option that writes or executes, a word known only at run time, a variable set before it, a program named by its path. Null where one may. */
  readonly beyondPrefix: string | null;
  /** Why no rule at all may cover it: eval, source, a function definition, code given to an interpreter. Null where one may. */
  readonly beyondRules: string | null;
  readonly reads: readonly PathUse[];
  readonly writes: readonly PathUse[];
  /** True where it cannot do its work without the network, as `npm install` or `git fetch`. */
  readonly needsNetwork: boolean;
  /** True where it runs what the project says: `npm test`, `make`, `./build.sh`, `node x.js`. */
  readonly runsProjectCode: boolean;
  /** For git, the folder it works in: what it may run follows from the configuration there. Null for the rest, and where the folder is unknown. */
  readonly gitFolder: string | null;
}

/** What a command line does, as far as it can be told without running it. Where anything is unclear it says so, and nothing of it may pass unasked. */
export type ShellReport =
  | { readonly isClear: false; readonly because: string }
  | { readonly isClear: true; readonly parts: readonly ShellPart[] };

/** Where a command line starts. All paths are real ones. */
export interface ShellFacts {
  readonly cwd: string;
  readonly home: string;
}
