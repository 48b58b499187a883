import type { FileHint } from './file-hint.ts';
import type { LineRange } from './line-range.ts';

/** Where to look: a folder below the project root and a glob of files; null where a request names none. */
export interface Scope {
  readonly folder: string | null;
  readonly glob: string | null;
}

/** Show a file; `lines` null is all of it. */
export interface ReadTask {
  readonly intent: 'read';
  readonly file: FileHint;
  readonly lines: LineRange | null;
  /** Further files to show in the same way. */
  readonly also: readonly FileHint[];
}

/** `words` are the concepts that say which value, `hints` decide between values that fit alike; `isManifest` asks for a fact of the project's own manifest. */
export interface ValueTask {
  readonly intent: 'value';
  readonly file: FileHint | null;
  readonly words: readonly string[];
  readonly hints: readonly string[];
  readonly isManifest: boolean;
  readonly hasReadVerb: boolean;
}

/** List the files that a glob matches; `label` is how the person called them. */
export interface FindTask {
  readonly intent: 'find';
  readonly glob: string;
  readonly label: string;
  readonly folder: string | null;
}

/** `pattern` is a regular expression where `isRegex`, else literal text. */
export interface SearchTask {
  readonly intent: 'search';
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly ignoresCase: boolean;
  readonly purpose: 'text' | 'defined' | 'used' | 'files';
  readonly file: FileHint | null;
  readonly scope: Scope;
}

/** What is counted. `label` is how the person called it, empty where all of a kind are meant; `isFiles` counts the files that have a match. */
export type CountUnit =
  | { readonly of: 'files'; readonly glob: string; readonly label: string }
  | { readonly of: 'folders'; readonly glob: string; readonly label: string }
  | { readonly of: 'lines'; readonly file: FileHint }
  | { readonly of: 'words'; readonly file: FileHint }
  | {
      readonly of: 'matches';
      readonly pattern: string;
      readonly label: string;
      readonly file: FileHint | null;
      readonly isFiles: boolean;
    }
  | { readonly of: 'entries'; readonly words: readonly string[]; readonly file: FileHint | null };

/** Count something. */
export interface CountTask {
  readonly intent: 'count';
  readonly unit: CountUnit;
  readonly scope: Scope;
}

/**
 * `subject` is what to replace: literal text, or words for a value ("the port"). `from` is the old value where it is named.
 * `reading` says what it is taken for: `text` first and then a value, a `value` only, or `either`, as the file has it;
 * `line` replaces the whole line, `line_out` takes it out. A negative line counts from the end.
 */
export interface ReplaceTask {
  readonly intent: 'replace';
  readonly file: FileHint | null;
  readonly subject: string;
  readonly reading: 'text' | 'value' | 'either' | 'line' | 'line_out';
  readonly from: string | null;
  readonly to: string;
  readonly reach: 'first' | 'all' | 'unsaid';
  readonly line: number | null;
  /** Further files that the same change is for. */
  readonly alsoIn: readonly FileHint[];
  readonly isProjectWide: boolean;
}

/** Write a file with given content. `create` leaves an existing file alone; `append` adds a line at its end. */
export interface CreateTask {
  readonly intent: 'create';
  readonly path: string;
  readonly content: string;
  readonly mode: 'create' | 'overwrite' | 'append';
}

/** Run a shell command exactly as it is. */
export interface RunTask {
  readonly intent: 'run';
  readonly command: string;
}

/** Run the first of these package scripts that exists. */
export interface ScriptTask {
  readonly intent: 'script';
  readonly names: readonly string[];
}

/** Run the project's tests, or those of one file. */
export interface TestTask {
  readonly intent: 'test';
  readonly path: string | null;
}

/** Say what a file imports, declares and begins with. */
export interface DescribeTask {
  readonly intent: 'describe';
  readonly file: FileHint;
}

/** What stands around the definition of a name. */
export interface DefinitionTask {
  readonly intent: 'definition';
  readonly name: string;
}

/** List a folder, null being the whole project: as a tree, or what changed last. */
export interface ListTask {
  readonly intent: 'list';
  readonly folder: string | null;
  readonly isTree: boolean;
  readonly isRecent: boolean;
}

/** Say what the project, or a folder of it, is. */
export interface ExplainTask {
  readonly intent: 'explain';
  readonly folder: string | null;
}

/** Tell the state, the changes or the history of the repository. `since` is a time as git reads it, from which on the history is told. */
export interface GitTask {
  readonly intent: 'git';
  readonly of: 'status' | 'diff' | 'log';
  readonly since: string | null;
}

/** Say whether the project depends on a package. */
export interface DependencyTask {
  readonly intent: 'dependency';
  readonly name: string;
}

/** `cannot`: understood, and beyond rules. `unknown`: not understood. `which_file`: the file is missing from the request. */
export interface TalkTask {
  readonly intent: 'talk';
  readonly about:
    | 'greet'
    | 'thanks'
    | 'help'
    | 'identity'
    | 'cannot'
    | 'unknown'
    | 'which_file'
    | 'nothing_before'
    | 'declined'
    | 'too_long';
}

/** The tour, or the entry file. */
export interface PlainTask {
  readonly intent: 'tour' | 'entry';
}

/** What the demo model understood a request to be. */
export type Task =
  | ReadTask
  | ValueTask
  | FindTask
  | SearchTask
  | CountTask
  | ReplaceTask
  | CreateTask
  | RunTask
  | ScriptTask
  | TestTask
  | DescribeTask
  | DefinitionTask
  | ListTask
  | ExplainTask
  | GitTask
  | DependencyTask
  | TalkTask
  | PlainTask;

/** A task and how sure its recogniser is; the surest wins, the earlier of two equals. */
export interface Guess {
  readonly score: number;
  readonly task: Task;
}

/** What earlier turns of the session tell: the file last dealt with, where its reading stopped, the last command, the last task. */
export interface Background {
  readonly lastFile: string | null;
  readonly nextLine: number | null;
  readonly lastCommand: string | null;
  readonly lastTask: Task | null;
}
