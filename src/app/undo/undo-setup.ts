import type { Agent } from '../../core/agent.ts';
import type { EffectJournal, JobTable } from '../../core/ports.ts';
import type { SessionLog } from '../../core/session.ts';
import type { UndoOutcome } from '../../sessions/undo.ts';
import { UndoJournal } from '../../sessions/undo-journal.ts';
import type { UndoChoice } from '../../sessions/undo-plan.ts';
import { undoLogPath } from '../../sessions/undo-log.ts';
import type { PastSession } from '../past-session.ts';
import { realPlaceOf } from '../real-place.ts';
import { tellingUndone } from './undo-notes.ts';
import { effectsFolder, type UserFolders } from '../user-folders.ts';

export interface UndoSetupOptions {
  /** False by a setting: nothing is kept, and nothing can be undone. */
  readonly isOn: boolean;
  /** Real paths. */
  readonly cwd: string;
  readonly addDirs: readonly string[];
  readonly folders: UserFolders;
  readonly session: PastSession;
  readonly log: SessionLog & EffectJournal;
  readonly jobs: Pick<JobTable, 'list'>;
}

/** What a session needs so that its effects can be taken back. */
export interface UndoSetup {
  /** The session's log, which tells the journal where prompts begin. */
  readonly log: SessionLog;
  readonly journal: EffectJournal;
  readonly agentOf: (agent: Agent) => Agent;
  /** Undoes the last turn, or takes that back; gives lines for the person. */
  readonly command: (verb: 'undo' | 'redo') => Promise<readonly string[]>;
  /** Undoes all turns after one; null where none of them changed anything. The model is told of it unless it is known to have forgotten them. */
  readonly filesTo: (turn: number, isForgotten: boolean) => Promise<UndoOutcome | null>;
  /** What was changed and holds, as a unified diff; null where nothing was. */
  readonly diff: (choice: UndoChoice) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export function setupUndo({ isOn, cwd, addDirs, folders, session, log, jobs }: UndoSetupOptions): UndoSetup {
  if (!isOn) return withoutUndo(log);
  const effects = new UndoJournal({
    roots: [cwd, ...addDirs],
    excluded: [realPlaceOf(folders.state), realPlaceOf(folders.config)],
    folder: effectsFolder(folders, cwd),
    logPath: undoLogPath(session.path),
    pastTurns: session.turnCount,
    jobs: () => jobs.list(),
  });
  return {
    log: {
      ...log,
      append: (event) => {
        if (event.type === 'run_start') effects.startTurn();
        log.append(event);
      },
    },
    journal: {
      started: async (call, scope) => {
        await effects.started(call, scope);
        await log.started(call, scope);
      },
      finished: async (call, result) => {
        await effects.finished(call);
        await log.finished(call, result);
      },
    },
    agentOf: (agent) => tellingUndone(agent, effects.log),
    command: async (verb) => (await import('./undo-command.ts')).takeBack(verb, effects, cwd),
    filesTo: async (turn, isForgotten) => (await import('./undo-command.ts')).takeBackTo(turn, effects, isForgotten),
    diff: async (choice) => (await import('./undo-command.ts')).changesAsDiff(choice, effects, cwd),
    close: () => effects.close(),
  };
}

function withoutUndo(log: SessionLog & EffectJournal): UndoSetup {
  return {
    log,
    journal: log,
    agentOf: (agent) => agent,
    command: async () => ['Undo is off: your settings say "undo": false.'],
    filesTo: async () => null,
    diff: async () => null,
    close: async () => undefined,
  };
}
