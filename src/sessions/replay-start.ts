import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import { isJsonObject } from '../core/json-value.ts';
import type { PermissionMode, SandboxMode } from '../core/permission.ts';
import type { ToolNames } from '../core/presentation.ts';
import type { SnapshotEntry } from '../host/effects/snapshot.ts';
import { openLineFile, readLineFile } from '../host/files/line-file.ts';
import { START_VERSION, startOf } from './replay-start-shape.ts';

/** What a session worked with, beside the files. */
export interface StartFacts {
  readonly cwd: string;
  readonly home: string;
  readonly temp: string;
  readonly mode: PermissionMode;
  readonly toolNames: ToolNames;
  readonly addDirs: readonly string[];
  readonly sandbox: SandboxMode | null;
  readonly bashTimeoutMs: number | null;
  readonly seesImages: boolean;
  /** Language and time zone; what is not there was not set. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The files before the first call of a process. `messages` counts those of the session until then. */
export interface StartState extends StartFacts {
  readonly type: 'start';
  readonly version: typeof START_VERSION;
  readonly messages: number;
  /** The number of the prompt that the call belongs to; sessions of before 2026-12 do not say. */
  readonly prompt?: number;
  /** Null where they could not be kept; `missing` says why. */
  readonly entries: readonly SnapshotEntry[] | null;
  readonly missing: string | null;
}

/** The file beside a session's own that holds what a replay starts from. Its ending is not that of a session. */
export function startPath(sessionPath: string): string {
  return sessionPath.replace(/\.jsonl$/, '.start');
}

/** As it stands in the file: `entries` is the hash of their list. */
export type StartLine = Omit<StartState, 'entries'> & { readonly entries: string | null };

/** Errors: of the system. */
export function appendStart(sessionPath: string, state: StartLine): void {
  const file = openLineFile(startPath(sessionPath));
  try {
    file.append(state);
  } finally {
    file.close();
  }
}

/** The hashes of all contents that a replay of a session needs. Errors: AgentError `replay_impossible`. */
export function contentsOfStarts(sessionPath: string, contentOf: (hash: string) => Uint8Array | null): readonly string[] {
  const lists = linesOf(sessionPath).flatMap((value) =>
    isJsonObject(value) && typeof value['entries'] === 'string' ? [value['entries']] : [],
  );
  const files = readStarts(sessionPath, contentOf).flatMap(({ entries }) => entries ?? []);
  return [...lists, ...files.flatMap(({ state }) => (state.kind === 'file' ? [state.hash] : []))];
}

/** The starting states of a session, in order; none where there is no file. Errors: AgentError `replay_impossible`. */
export function readStarts(sessionPath: string, contentOf: (hash: string) => Uint8Array | null): readonly StartState[] {
  return linesOf(sessionPath).flatMap((value) => startOf(withList(value, contentOf)) ?? []);
}

function linesOf(sessionPath: string): readonly unknown[] {
  try {
    return readLineFile(startPath(sessionPath)).map(({ value }) => value);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return [];
    throw new AgentError(
      {
        code: 'replay_impossible',
        message: `${startPath(sessionPath)} cannot be read: ${messageOf(thrown)}.`,
        remedy: 'Give a folder with the files as they were, with --in FOLDER.',
      },
      { cause: thrown },
    );
  }
}

function withList(value: unknown, contentOf: (hash: string) => Uint8Array | null): unknown {
  if (!isJsonObject(value) || typeof value['entries'] !== 'string') return value;
  const list = contentOf(value['entries']);
  if (list === null) return { ...value, entries: null, missing: 'their list is not kept any more' };
  const entries: unknown = JSON.parse(Buffer.from(list).toString('utf8'));
  return { ...value, entries };
}
