import type { ResolvedFootprint } from './footprint.ts';
import type { ToolResultBlock, ToolUseBlock } from './message.ts';
import type { Confinement, Judgement } from './permission.ts';
import type { ToolResult } from './tool-result.ts';

/** A content hash of a whole file. */
export type Version = string;

/** What a file is. Links are followed; `mode` are its permission bits. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'fifo' | 'socket' | 'device' | 'other';
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly mode: number;
}

/** Bytes from `start`, at most `length`. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** What a file is to hold, whole or in pieces that follow each other: joining those of a large file would cost more than writing them. */
export type FileContent = Uint8Array | readonly Uint8Array[];

/** One file of a transaction; `bytes` null deletes it. A new file takes mode and owner of `like`. */
export interface Change {
  readonly path: string;
  readonly bytes: FileContent | null;
  readonly expect: Version | 'absent' | 'any';
  readonly like?: string;
}

/**
 * Files. Paths are absolute. Errors: what the system threw (`code` set), or `FileConflict` where `expect` does not hold.
 * Nothing here blocks on a FIFO or device.
 */
export interface FileAccess {
  /**
   * Where a path really leads: links followed, dangling ones too; what does not exist yet is placed below its nearest real parent.
   * The gate judges by it. Errors: ELOOP, EACCES.
   */
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<FileStat>;
  /** Names in a folder, unsorted. */
  list(path: string): Promise<readonly string[]>;
  read(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** Compare and swap, atomic: at any crash the file is the old or the new one. Follows links to their target; makes missing folders. */
  replace(path: string, bytes: FileContent, expect: Version | 'absent' | 'any'): Promise<Version>;
  /** All or nothing, with the same care. */
  transact(changes: readonly Change[]): Promise<void>;
  /** True where the session records what the model has seen. */
  readonly tracksSeen: boolean;
  seen(path: string): Version | null;
  noteSeen(path: string, version: Version): void;
}

/** Thrown by `replace` where the file is not the one that was expected. */
export class FileConflict extends Error {
  constructor(path: string) {
    super(`${path} changed while it was being written`);
    this.name = 'FileConflict';
  }
}

/** A command to run. `onOutput` gets what it writes as it comes. */
export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onOutput?(text: string): void;
}

/** How a command ended. Each way has its own flag; `exitCode` is null where none came. */
export interface ShellOutcome {
  /** Decoded and cleaned: both streams in order, bounded. */
  readonly output: string;
  readonly omittedChars: number;
  /** The file with the whole output, where some was left out. */
  readonly outputPath: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
  /** Processes that outlived the command and were ended. */
  readonly ended: readonly string[];
  /** Processes that outlived the command and could not be ended. */
  readonly survivors: readonly string[];
  /** The shell that ran it: `bash` or `sh`. */
  readonly shell: string;
  /** What a sandbox kept the command from, as far as it can be told: a line each, with what to do about it. */
  readonly denials: readonly string[];
}

/** Runs commands, each afresh. Errors: throws where one could not be started; how it ended is in the outcome. */
export interface ShellAccess {
  run(request: ShellRequest): Promise<ShellOutcome>;
}

/** Commands below the gate: each runs in what it was granted. */
export interface ConfinedShell {
  run(request: ShellRequest, confinement: Confinement): Promise<ShellOutcome>;
}

/** A search for names. */
export interface FindRequest {
  readonly root: string;
  /** A folder relative to the root, where the search can be narrowed to it. It is looked into also where it is a link. */
  readonly below?: string;
  /** Chooses by path relative to the root. */
  accepts(path: string): boolean;
  readonly includeIgnored: boolean;
  readonly maxResults: number;
  readonly signal: AbortSignal;
}

/** Paths relative to the root, newest first; `total` counts those left out too. `notes` say what was not looked at. */
export interface FindOutcome {
  readonly files: readonly string[];
  readonly total: number;
  readonly notes: readonly string[];
}

/** A search for contents, by a regular expression in the syntax of Rust. */
export interface GrepRequest {
  /** A folder or one file. */
  readonly path: string;
  readonly pattern: string;
  readonly glob: string | null;
  readonly contextLines: number;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly includeIgnored: boolean;
  /** Keeps no lines: how many lines match in each of the first `maxResults` files. */
  readonly countsOnly?: boolean;
  readonly maxResults: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One line of a file, without its end. `matchStart` is the offset of the first match in `text`, null for context. */
export interface GrepLine {
  readonly line: number;
  readonly text: string;
  readonly matchStart: number | null;
  /** Where `text` is only a piece of a long line: the offset at which it starts there, and the length of that line. */
  readonly pieceOf?: { readonly start: number; readonly chars: number };
}

/** A file with matches. `matches` counts lines, those that are not shown too. */
export interface GrepFile {
  /** Relative to the search root. */
  readonly path: string;
  readonly matches: number;
  readonly lines: readonly GrepLine[];
}

/** Files with matches, sorted by path, until `maxResults` matches are shown. `fault` is the engine's word on a bad pattern. */
export interface GrepOutcome {
  readonly files: readonly GrepFile[];
  readonly totalMatches: number;
  readonly totalFiles: number;
  readonly filesSearched: number;
  /** The totals are what was counted; there are more. */
  readonly isLowerBound?: true;
  /** Why it is partial, or null where it is whole. A flood is more output than anyone could use. */
  readonly stoppedBy: 'deadline' | 'flood' | null;
  readonly notes: readonly string[];
  readonly fault: string | null;
}

/** Searches. Errors: throws on an abort, and where the place to search is not there. */
export interface SearchAccess {
  find(request: FindRequest): Promise<FindOutcome>;
  grep(request: GrepRequest): Promise<GrepOutcome>;
}

/** One run of git. `args` are its command and that command's arguments. */
export interface GitRun {
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes what git writes as it comes; false ends the run. */
  onOutput(bytes: Uint8Array): boolean;
}

/** `exitCode` is null where the run was ended early. */
export interface GitEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Something that a repository is in the middle of, with what git notes of it: `of main, step 2 of 5`. */
export interface GitOperation {
  readonly kind: 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect';
  readonly detail: string | null;
}

/** A repository, looked at before anything runs in it: no program that it or a configuration names is started. */
export interface GitRepository {
  /** The top of the work tree, a real path. */
  readonly root: string;
  /** What was opened, a real path in `root`. git runs there, or in the nearest folder above. */
  readonly path: string;
  /** Filters that are configured and switched off, so that what they would change looks modified. */
  readonly filters: readonly string[];
  readonly operations: readonly GitOperation[];
  /** Whether the content of a file, by real path, is not to be shown unless it was asked for by name: it may hold secrets. */
  withholds(path: string): boolean;
  run(run: GitRun): Promise<GitEnd>;
}

/** Why there is no repository to work with. `redirected`: its configuration names another folder as its work tree, which `detail` gives. */
export interface GitRefusal {
  readonly refusal: 'no_git' | 'no_repository' | 'bare' | 'foreign_owner' | 'redirected' | 'failed';
  readonly detail: string;
}

/** The repositories that tools look at. */
export interface GitAccess {
  /** The repository of a folder, or of the nearest folder above a path. */
  open(path: string, signal: AbortSignal): Promise<GitRepository | GitRefusal>;
}

/** A command that runs in the background. `exitCode` is null while it runs and where none came. */
export interface Job {
  readonly id: string;
  readonly command: string;
  readonly state: 'running' | 'exited' | 'killed';
  readonly exitCode: number | null;
}

/** What a job wrote since it was last read, bounded like the output of a call. */
export interface JobOutput {
  readonly job: Job;
  readonly text: string;
}

/** Background commands, owned by the session and not by a call. An unknown id gives null. */
export interface JobTable {
  start(request: { readonly command: string; readonly cwd: string }): Promise<Job>;
  list(): readonly Job[];
  readNew(id: string): Promise<JobOutput | null>;
  /** Ends a job with all that it started; one that has ended stays as it is. */
  kill(id: string): Promise<Job | null>;
  endAll(): Promise<void>;
}

/** Background commands below the gate. */
export interface ConfinedJobs extends Omit<JobTable, 'start'> {
  start(request: { readonly command: string; readonly cwd: string }, confinement: Confinement): Promise<Job>;
}

/** Makes the record durable before an effect and after it, so that a resumed session can be honest about what may have happened. */
export interface EffectJournal {
  started(call: ToolUseBlock, scope: EffectScope): Promise<void>;
  finished(call: ToolUseBlock, result: ToolResultBlock): Promise<void>;
}

/** What a call that is about to start may touch. */
export interface EffectScope {
  readonly footprint: ResolvedFootprint;
  /** The call for which a sub-agent makes this one; absent where none does. */
  readonly onBehalfOf?: string;
  readonly signal: AbortSignal;
  /** Tells the person a line. */
  notify(text: string): void;
  /** Tells how far it is. */
  progress(text: string): void;
}

/** What a hook works with while it runs. */
export interface HookRun {
  readonly signal: AbortSignal;
  /** Tells the person a line. */
  notify(text: string): void;
}

/** How a hook makes a judgement stricter, and why. */
export type HookVerdict = { readonly deny: string } | { readonly ask: string };

/** The user's own code around a call, which comes under the tool's own name and with the input that was checked. A hook can make a judgement stricter, never looser. */
export interface Hook {
  readonly name: string;
  beforeTool?(call: ToolUseBlock, judgement: Judgement, run: HookRun): Promise<HookVerdict | null>;
  /** Gives words that the model gets with the result, or null. */
  afterTool?(call: ToolUseBlock, result: ToolResult, run: HookRun): Promise<string | null>;
}

/** The user's own code around a session. */
export interface Lifecycle {
  /** Gives words that the model gets with the first prompt, or null. */
  sessionStarts(source: 'startup' | 'resume', run: HookRun): Promise<string | null>;
  promptGiven(prompt: string, run: HookRun): Promise<{ readonly refused: string } | { readonly context: string | null }>;
  /** Gives why the agent should go on though it is done, or null. `isGoingOn` where it already does so for this reason. */
  runEnds(isGoingOn: boolean, run: HookRun): Promise<string | null>;
  /** Gives why a hook wants the run to end here, once, or null. */
  takeStop(): string | null;
}

/** Runs each model call and tool call of a turn; an engine can stand in to make them durable steps. */
export interface StepRunner {
  runStep<T>(step: { readonly kind: 'model' | 'tool'; readonly id: string }, run: () => Promise<T>): Promise<T>;
}
