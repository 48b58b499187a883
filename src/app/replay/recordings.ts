import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../../core/errors.ts';
import { ContentStore } from '../../host/effects/content-store.ts';
import { shownPath } from '../../host/effects/raw-path.ts';
import { secrecy } from '../../permissions/protected-paths.ts';
import { conversationOf, promptNumbers } from '../../sessions/conversation.ts';
import { isSessionId, missing, readRecords, type SessionRecords, sessionFiles } from '../../sessions/read-session.ts';
import { readStarts } from '../../sessions/replay-start.ts';
import type { Recording } from '../../sessions/replay-recording.ts';
import { readTest, testLines } from '../../sessions/replay-test-file.ts';
import { hasRun, readScript } from '../../sessions/replay-script.ts';
import { UndoLog, undoLogPath } from '../../sessions/undo-log.ts';
import { effectsFolder, sessionsFolder, type UserFolders } from '../user-folders.ts';

export { readTest };

/** Where a session is looked for. A null id is the newest. */
export interface RecordingPlace {
  /** A real path. */
  readonly cwd: string;
  readonly folders: UserFolders;
  readonly id: string | null;
}

/** A session of a folder with all that a replay needs. Errors: AgentError `session_missing`, `session_unreadable`, `replay_impossible`. */
export async function openRecording({ cwd, folders, id }: RecordingPlace): Promise<Recording & { close(): void }> {
  const path = await pathOf({ cwd, folders, id });
  const session = await readRecords(path);
  let store: ContentStore | null = null;
  const contents = (): ContentStore => (store ??= new ContentStore(join(effectsFolder(folders, cwd), 'contents')));
  const starts = readStarts(path, (hash) => contents().read(hash));
  return {
    id: session.id,
    ...branchThatHolds(session, starts),
    effects: new UndoLog(undoLogPath(path)).records().filter((record) => record.type === 'effect'),
    contentOf: (hash) => contents().read(hash),
    close: () => store?.close(),
  };
}

export interface MadeTest {
  readonly bytes: number;
  /** Files that hold secrets by their names, shown. */
  readonly leftOut: readonly string[];
}

/** Writes a test made of a session. Errors: AgentError `replay_impossible` where it lacks something, `misuse` where the file is there. */
export function makeTest(recording: Recording, out: string, secrets: readonly string[]): MadeTest {
  assertWhole(recording);
  const { lines, leftOut } = testLines(recording, {
    secrets,
    isSecret: (path, home) => secrecy(path, home) !== null,
  });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeNew(out, text);
  return { bytes: Buffer.byteLength(text), leftOut: leftOut.map(shownPath) };
}

/** After a rewind what stands in the file did not follow from all that stands before it. */
function branchThatHolds(
  { id, records }: SessionRecords,
  starts: Recording['starts'],
): Pick<Recording, 'records' | 'rewound' | 'starts'> {
  if (!records.some((record) => record?.['type'] === 'rewound')) return { records, rewound: [], starts };
  if (starts.some(({ prompt }) => prompt === undefined))
    throw new AgentError({
      code: 'replay_impossible',
      message: `The session ${id} was rewound, and is older than the note of which branch its files belong to.`,
      remedy: 'Replay one that was not; --fork-session goes on from a turn in a session of its own.',
    });
  const holding = conversationOf(records);
  const isHeld = (prompt: number | undefined): boolean => prompt !== undefined && holding.turns.includes(prompt);
  return {
    records: holding.records,
    rewound: promptNumbers(records).filter((number) => !isHeld(number)),
    starts: starts.filter(({ prompt }) => isHeld(prompt)),
  };
}

function assertWhole({ starts, contentOf, id, records }: Recording): void {
  const ranNothing = starts.length === 0 && !hasRun(readScript(records));
  const why = ranNothing ? null : wantOf(starts, contentOf);
  if (why === null) return;
  throw new AgentError({
    code: 'replay_impossible',
    message: `No test can be made of the session ${id}: ${why}.`,
    remedy: 'Make one of a newer session, in a smaller folder; see docs/replay.md.',
  });
}

function wantOf(starts: Recording['starts'], contentOf: Recording['contentOf']): string | null {
  const [first] = starts;
  if (first === undefined) return 'it holds no starting state';
  if (first.entries === null) return `its files were not kept (${first.missing ?? 'nobody knows why'})`;
  const lost = first.entries.find(({ state }) => state.kind === 'file' && contentOf(state.hash) === null);
  return lost === undefined ? null : `the content of ${shownPath(lost.path)} is not kept any more`;
}

function writeNew(path: string, text: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    const isThere = systemCodeOf(thrown) === 'EEXIST';
    throw new AgentError(
      {
        code: 'misuse',
        message: isThere ? `${path} is there already.` : `${path} cannot be written: ${messageOf(thrown)}.`,
        remedy: 'Give the name of a file that is to be made, with --out FILE.',
      },
      { cause: thrown },
    );
  }
}

async function pathOf({ cwd, folders, id }: RecordingPlace): Promise<string> {
  const folder = sessionsFolder(folders, cwd);
  if (id !== null) {
    if (!isSessionId(id)) throw missing(`There is no session ${id} here.`);
    return join(folder, `${id}.jsonl`);
  }
  const [newest] = await sessionFiles(folder);
  if (newest === undefined) throw missing(`There is no earlier session in ${cwd}.`);
  return newest.path;
}
