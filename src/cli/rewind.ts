import { hasLeftovers } from '../app/undo/undo-session.ts';
import { realFolder } from '../app/real-folder.ts';
import { renderRewind, rewindAsJson } from '../app/undo/rewind.ts';
import { rewindSession } from '../app/undo/rewind-session.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayJson } from '../core/display-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface RewindFlags {
  readonly session?: string;
  readonly toTurn: number;
  readonly files?: boolean;
  readonly conversation?: boolean;
  readonly both?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const HAS_LEFTOVERS = 1;

/** `wield rewind`: 1 where a file was left as it is. */
export async function rewind(flags: RewindFlags): Promise<number> {
  const cwd = realFolder(workingFolder());
  const place = { cwd, folders: userFolders(process.env), sessionId: flags.session ?? null };
  const choice = { toTurn: flags.toTurn, part: partOf(flags) };
  const outcome = await rewindSession(place, choice, flags.dryRun ?? false);
  const text = flags.json === true ? displayJson(rewindAsJson(outcome), 2) : renderRewind(outcome, cwd).join('\n');
  await writeOut(`${text}\n`);
  return outcome.files !== null && hasLeftovers(outcome.files) ? HAS_LEFTOVERS : 0;
}

/** Both flags together are both parts. */
function partOf({ files, conversation, both }: RewindFlags): 'both' | 'files' | 'conversation' {
  if (both === true || files === conversation) return 'both';
  return files === true ? 'files' : 'conversation';
}
