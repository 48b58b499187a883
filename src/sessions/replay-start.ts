import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import { isJsonObject } from '../core/json-value.ts';
import { openLineFile, readLineFile } from '../host/files/line-file.ts';
import { startOf, type StartState } from './start-state.ts';

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
