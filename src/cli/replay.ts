import { resolve } from 'node:path';
import { realFolder } from '../app/real-folder.ts';
import { makeTest, openRecording, readTest } from '../app/replay/recordings.ts';
import { replaySession, type ReplayReport } from '../app/replay/replay-session.ts';
import { firstDivergence } from '../app/replay/replay-report.ts';
import { renderReplay, replayAsJson } from '../app/replay/replay-text.ts';
import { knownSecrets } from '../app/known-secrets.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { AgentError } from '../core/errors.ts';
import { interruptible } from './interrupt.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface ReplayFlags {
  readonly in?: string;
  readonly test?: readonly string[];
  readonly acceptUnsandboxed?: boolean;
  readonly json?: boolean;
}

const DIVERGED = 1;

/** `wield sessions replay`: 1 where something came out otherwise. */
export async function replay(id: string | undefined, flags: ReplayFlags): Promise<number> {
  if (flags.test !== undefined && id !== undefined) throw misuse('Give a session or --test, not both.');
  const { value, signalCode } = await collect(id, flags);
  const reports = value;
  const texts = reports.map((report) => (flags.json === true ? displayJson(replayAsJson(report)) : renderReplay(report)));
  for (const text of texts) await writeOut(`${text}\n`);
  return signalCode ?? (reports.some((report) => firstDivergence(report) !== null) ? DIVERGED : 0);
}

/** `wield sessions make-test`: one file that replays anywhere. */
export async function makeSessionTest(id: string | undefined, { out }: { out: string }): Promise<number> {
  const recording = await openRecording(here(id));
  try {
    const path = resolve(workingFolder(), out);
    const { cwd, folders } = here(id);
    const { bytes, leftOut } = makeTest(recording, path, await knownSecrets(cwd, folders, process.env));
    await writeOut(`${displayText(path)}: session ${recording.id}, ${Math.ceil(bytes / 1024)} KB\n`);
    if (leftOut.length > 0) process.stderr.write(`Left out, since they may hold secrets: ${displayText(leftOut.join(', '))}\n`);
    process.stderr.write(
      `It holds the session and the files of this folder; look through it before you share it.\nRun it with: wield sessions replay --test ${displayText(out)}\n`,
    );
    return 0;
  } finally {
    recording.close();
  }
}

interface Collected {
  readonly value: readonly ReplayReport[];
  readonly signalCode: number | null;
}

async function collect(id: string | undefined, flags: ReplayFlags): Promise<Collected> {
  const reports: ReplayReport[] = [];
  const folder = flags.in === undefined ? null : realFolder(resolve(workingFolder(), flags.in));
  const { value } = await interruptible(async (signal) => {
    const request = { environment: process.env, folder, acceptUnsandboxed: flags.acceptUnsandboxed ?? false, signal };
    for (const path of flags.test ?? []) reports.push(await replaySession(readTest(resolve(workingFolder(), path)), request));
    if (flags.test !== undefined) return;
    const recording = await openRecording(here(id));
    try {
      reports.push(await replaySession(recording, request));
    } finally {
      recording.close();
    }
  });
  return { value: reports, signalCode: value ?? null };
}

function here(id: string | undefined): Parameters<typeof openRecording>[0] {
  return { cwd: realFolder(workingFolder()), folders: userFolders(process.env), id: id ?? null };
}

function misuse(message: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy: 'See wield sessions replay --help.' });
}
