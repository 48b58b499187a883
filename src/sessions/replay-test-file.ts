import { join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import { withoutSecrets } from '../host/http/secrets.ts';
import { contentHash } from '../host/effects/content-store.ts';
import { shownPath } from '../host/effects/raw-path.ts';
import { readLineFile } from '../host/files/line-file.ts';
import type { Recording } from './replay-recording.ts';
import type { StartState } from './start-state.ts';
import { startOf } from './start-state.ts';
import { parseRecord } from './session-record.ts';
import { parseJournalRecord } from './undo-record.ts';

export const TEST_VERSION = 1;

/** What is left out of a test, and why: the files of the start whose names say that they hold secrets. */
export interface TestOptions {
  readonly secrets: readonly string[];
  /** Takes an absolute path, as text, and the home of then. */
  isSecret(path: string, home: string): boolean;
}

/** The lines of a test: one file that holds a session, the files that it started from, and what it did. */
export function testLines(
  { id, records, starts, effects, contentOf }: Recording,
  { secrets, isSecret }: TestOptions,
): { readonly lines: readonly object[]; readonly leftOut: readonly string[] } {
  const leftOut = new Set<string>();
  const kept = starts.map((start) => ({
    ...start,
    entries:
      start.entries?.filter(({ path, state }) => {
        const isKept = state.kind !== 'file' || !isSecret(join(start.cwd, shownPath(path)), start.home);
        if (!isKept) leftOut.add(path);
        return isKept;
      }) ?? null,
  }));
  const hashes = new Set([
    ...kept.flatMap(({ entries }) => entries ?? []).flatMap(({ state }) => (state.kind === 'file' ? [state.hash] : [])),
    ...effects
      .flatMap(({ changes }) => changes)
      .flatMap(({ path, after }) =>
        after?.kind === 'file' && !path.includes('/.git/') && !isSecret(shownPath(path), starts[0]?.home ?? '/')
          ? [after.hash]
          : [],
      ),
  ]);
  const masked = <T>(value: T): T => withoutSecrets(value, secrets);
  const lines = [
    { type: 'replay_test', version: TEST_VERSION, id },
    ...kept,
    ...[...hashes].flatMap((hash) => contentLine(hash, contentOf(hash))),
    ...effects.map(({ changes, ...effect }) => ({
      ...masked(effect),
      changes: changes.filter(({ path }) => !path.includes('/.git/')),
    })),
    ...records.flatMap((record) => (record === null ? [] : [{ type: 'record', record: masked(record) }])),
  ];
  return { lines, leftOut: [...leftOut] };
}

/** Errors: AgentError `replay_impossible`. */
export function readTest(path: string): Recording {
  const values = valuesOf(path);
  const [header] = values;
  if (!isJsonObject(header) || header['type'] !== 'replay_test') throw unusable(path, 'it does not begin like a test');
  if (header['version'] !== TEST_VERSION)
    throw unusable(path, `it is of version ${String(header['version'])}, and this is version ${TEST_VERSION}`);
  const objects = values.filter(isJsonObject);
  const contents = new Map(objects.flatMap(contentOfLine));
  return {
    id: typeof header['id'] === 'string' ? header['id'] : '',
    records: objects.flatMap(({ type, record }) => (type === 'record' ? [parseRecord(JSON.stringify(record))] : [])),
    // A test holds what is played alone.
    rewound: [],
    starts: values.flatMap((value, i) => (isJsonObject(value) && value['type'] === 'start' ? [startIn(value, path, i + 1)] : [])),
    effects: objects.flatMap((value) => {
      const effect = value['type'] === 'effect' ? parseJournalRecord(JSON.stringify(value)) : null;
      return effect?.type === 'effect' ? [effect] : [];
    }),
    contentOf: (hash) => contents.get(hash) ?? null,
  };
}

function startIn(value: JsonObject, path: string, line: number): StartState {
  const start = startOf(value);
  if (start === null) throw unusable(path, `its line ${line} holds no starting state that can be used`);
  return start;
}

function valuesOf(path: string): readonly unknown[] {
  try {
    return readLineFile(path).map(({ value }) => value);
  } catch (thrown) {
    throw unusable(path, systemCodeOf(thrown) === 'ENOENT' ? 'there is no such file' : messageOf(thrown), thrown);
  }
}

function contentLine(hash: string, content: Uint8Array | null): readonly object[] {
  if (content === null) return [];
  const bytes = Buffer.from(content);
  const text = bytes.toString('utf8');
  return [
    { type: 'content', hash, ...(Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') }) },
  ];
}

/** A content that was changed by hand counts under its new hash alone, so that nothing is taken for what it is not. */
function contentOfLine({ type, text, base64 }: JsonObject): readonly (readonly [string, Uint8Array])[] {
  if (type !== 'content') return [];
  const bytes =
    typeof text === 'string' ? Buffer.from(text, 'utf8') : Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  return [[contentHash(bytes), bytes]];
}

function unusable(path: string, why: string, cause?: unknown): AgentError {
  const remedy = 'Make one with wield sessions make-test ID --out FILE.';
  return new AgentError({ code: 'replay_impossible', message: `${path} cannot be replayed: ${why}.`, remedy }, { cause });
}
