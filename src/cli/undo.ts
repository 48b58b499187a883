import { realFolder } from '../app/real-folder.ts';
import {
  brokenCallsOf,
  diffSession,
  redoSession,
  type SessionPlace,
  undoSession,
  type UndoChoice,
  type UndoOutcome,
} from '../app/undo/undo-session.ts';
import { brokenLine, renderUndo, undoAsJson } from '../app/undo/undo-text.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayJson, displayText } from '../core/display-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface DiffFlags {
  readonly session?: string;
  readonly call?: string;
  readonly turn?: number;
}

export interface RedoFlags {
  readonly session?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface UndoFlags extends DiffFlags, RedoFlags {
  readonly to?: number;
}

const HAS_LEFTOVERS = 1;

/** `wield undo`: 1 where something was left as it is. */
export async function undo(flags: UndoFlags): Promise<number> {
  await tellBroken(placeOf(flags));
  return report(await undoSession(placeOf(flags), choiceOf(flags), flags.dryRun ?? false), flags);
}

/** `wield redo`: the same. */
export async function redo(flags: RedoFlags): Promise<number> {
  return report(await redoSession(placeOf(flags), flags.dryRun ?? false), flags);
}

/** `wield diff`: a unified diff of the last turn that changed something, of one turn, or of one call. */
export async function diff(flags: DiffFlags): Promise<number> {
  await tellBroken(placeOf(flags));
  const text = await diffSession(placeOf(flags), choiceOf(flags));
  await writeOut(process.stdout.isTTY ? displayText(text) : text);
  return 0;
}

async function tellBroken(place: SessionPlace): Promise<void> {
  for (const call of await brokenCallsOf(place)) process.stderr.write(`${brokenLine(call)}\n`);
}

async function report(outcome: UndoOutcome, { json }: RedoFlags): Promise<number> {
  const text = json === true ? displayJson(undoAsJson(outcome), 2) : renderUndo(outcome, here()).join('\n');
  await writeOut(`${text}\n`);
  return outcome.paths.some(({ result }) => result !== 'restored' && result !== 'same') ? HAS_LEFTOVERS : 0;
}

function placeOf({ session }: { readonly session?: string }): SessionPlace {
  return { cwd: here(), folders: userFolders(process.env), sessionId: session ?? null };
}

function choiceOf({ call, turn, to }: UndoFlags): UndoChoice {
  if (call !== undefined) return { type: 'call', toolUseId: call };
  if (turn !== undefined) return { type: 'turn', turn };
  return to === undefined ? { type: 'last' } : { type: 'to', turn: to };
}

function here(): string {
  return realFolder(workingFolder());
}
