import { displayLine } from '../../core/display-text.ts';
import { AgentError } from '../../core/errors.ts';
import type { SessionState, SessionTurn } from '../../core/session.ts';
import type { UndoOutcome } from '../../sessions/undo.ts';
import { renderUndo, undoAsJson } from './undo-text.ts';

export const REWIND_PARTS = ['both', 'files', 'conversation'] as const;

/** Where to go back to, the end of a turn (0 is the beginning), and what goes back: the conversation, the files, or both. */
export interface RewindChoice {
  readonly toTurn: number;
  readonly part: (typeof REWIND_PARTS)[number];
}

/** What a rewind came to. `turns` are those that held before; `files` is null where nothing was on record to be undone. */
export interface RewindOutcome {
  readonly choice: RewindChoice;
  readonly turns: readonly SessionTurn[];
  readonly files: UndoOutcome | null;
  readonly isDryRun: boolean;
}

const MAX_PROMPT_CHARS = 60;

/** Errors: AgentError `misuse` where there is no such turn, or nothing after it. */
export function assertCanRewind({ turns, turnCount }: SessionState, { toTurn, part }: RewindChoice): void {
  const last = turns.at(-1)?.number ?? 0;
  const shown = turns.map((turn) => `\n  ${turnLine(turn)}`).join('');
  const remedy = turns.length === 0 ? 'This session has no turns yet.' : `The turns are${shown}\n  and 0 is the beginning.`;
  if (toTurn > turnCount) throw misuse(`There is no turn ${toTurn} in this session.`, remedy);
  // Files may still be as a turn left them that the conversation has lost before.
  if (toTurn === last && (part === 'conversation' || last === turnCount))
    throw misuse(`There is nothing after turn ${toTurn} to take back.`, remedy);
}

/** A turn in a line. */
export function turnLine({ number, prompt }: SessionTurn): string {
  return `${String(number).padStart(3)}  ${displayLine(prompt, MAX_PROMPT_CHARS)}`;
}

/** What a rewind did, for a person. Safe to show. */
export function renderRewind({ choice, turns, files, isDryRun }: RewindOutcome, cwd: string): string[] {
  const { toTurn, part } = choice;
  const dropped = turns.filter(({ number }) => number > toTurn);
  const verb = isDryRun ? 'would go on' : 'goes on';
  const where = toTurn === 0 ? 'from the beginning' : `from the end of turn ${toTurn}`;
  const conversation = [
    `The conversation ${verb} ${where}${dropped.length === 0 ? '.' : ', without'}`,
    ...dropped.map((turn) => `  ${turnLine(turn)}`),
  ];
  const kept = part === 'conversation' ? ['Files stay as they are.'] : [];
  const undone = files === null ? ['Nothing that those turns did to files is on record.'] : renderUndo(files, cwd);
  return [
    ...(part === 'files' ? ['The conversation stays as it is.'] : conversation),
    ...(part === 'conversation' ? kept : undone),
  ];
}

/** The same as data. */
export function rewindAsJson({ choice, turns, files, isDryRun }: RewindOutcome): object {
  const dropped = turns.filter(({ number }) => number > choice.toTurn);
  return {
    type: 'rewind',
    dryRun: isDryRun,
    toTurn: choice.toTurn,
    part: choice.part,
    turnsLeft: choice.part === 'files' ? [] : dropped,
    files: files === null ? null : undoAsJson(files),
  };
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
