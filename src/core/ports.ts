import type { ToolResultBlock, ToolUseBlock } from './message.ts';
import type { Judgement } from './permission.ts';
import type { ToolResult } from './tool-result.ts';

/** A content hash of a whole file. */
export type Version = string;

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

/**
 * Files. Paths are absolute. Errors: what the system threw (`code` set), or `FileConflict` where `expect` does not hold.
 * Nothing here blocks on a FIFO or device.
 */
export interface FileAccess {
  stat(path: string): Promise<FileStat>;
  /** Names in a folder, unsorted. */
  list(path: string): Promise<readonly string[]>;
  read(path: string, range?: ByteRange): Promise<Uint8Array>;
  /** Compare and swap, atomic: at any crash the file is the old or the new one. Follows links to their target; makes missing folders. */
  replace(path: string, bytes: Uint8Array, expect: Version | 'absent' | 'any'): Promise<Version>;
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
}

export interface ShellAccess {
  run(request: ShellRequest): Promise<ShellOutcome>;
}

export interface FindRequest {
  readonly root: string;
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

export interface GrepRequest {
  /** A folder or one file. */
  readonly path: string;
  readonly pattern: string;
  readonly glob: string | null;
  readonly contextLines: number;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly includeIgnored: boolean;
  readonly maxResults: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One line of a file, without its end. `matchStart` is the offset of the first match in it, null for context. */
export interface GrepLine {
  readonly line: number;
  readonly text: string;
  readonly matchStart: number | null;
}

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
  readonly timedOut: boolean;
  readonly notes: readonly string[];
  readonly fault: string | null;
}

export interface SearchAccess {
  find(request: FindRequest): Promise<FindOutcome>;
  grep(request: GrepRequest): Promise<GrepOutcome>;
}

/** Makes the record durable before an effect and after it, so that a resumed session can be honest about what may have happened. */
export interface EffectJournal {
  started(call: ToolUseBlock): Promise<void>;
  finished(call: ToolUseBlock, result: ToolResultBlock): Promise<void>;
}

/** The user's own code around a call. A hook can make a judgement stricter, never looser. */
export interface Hook {
  readonly name: string;
  beforeTool?(call: ToolUseBlock, judgement: Judgement): Promise<{ readonly deny: string } | null>;
  afterTool?(call: ToolUseBlock, result: ToolResult): Promise<void>;
}

/** Runs each model call and tool call of a turn; an engine can stand in to make them durable steps. */
export interface StepRunner {
  runStep<T>(step: { readonly kind: 'model' | 'tool'; readonly id: string }, run: () => Promise<T>): Promise<T>;
}
