import type { Agent } from '../../core/agent.ts';
import { AgentError, messageOf } from '../../core/errors.ts';
import type { SessionState, SessionTurn } from '../../core/session.ts';
import { readSession } from '../../sessions/read-session.ts';
import type { OpenSessionLog } from '../../sessions/session-log.ts';
import { stateOf } from '../../sessions/session-state.ts';
import type { UndoOutcome } from '../../sessions/undo.ts';
import { assertCanRewind, type RewindChoice, renderRewind } from './rewind.ts';

export interface RewindSetupOptions {
  readonly path: string;
  readonly cwd: string;
  readonly log: OpenSessionLog;
  readonly agent: Agent;
  /** What the model has seen of files; it is made to hold what it had seen by then. */
  readonly seen: Map<string, string>;
  /** Undoes the turns after one. `isKnown` where the model need not be told, since it does not know of them any more. */
  filesTo(turn: number, isKnown: boolean): Promise<UndoOutcome | null>;
}

export interface RewindSetup {
  readonly turns: () => Promise<readonly SessionTurn[]>;
  readonly rewind: (choice: RewindChoice) => Promise<readonly string[]>;
}

/** What an open session needs to be rewound. The log stays append-only: what holds then is read from it, as after a restart. */
export function setupRewind({ path, cwd, log, agent, seen, filesTo }: RewindSetupOptions): RewindSetup {
  const state = async (): Promise<SessionState> => {
    await log.flush();
    return readSession(path).catch((thrown: unknown) => {
      // Nothing was written yet.
      if (thrown instanceof AgentError && thrown.code === 'session_missing') return { id: log.id, ...stateOf([]), notices: [] };
      throw thrown;
    });
  };
  const rewindOrThrow = async (choice: RewindChoice): Promise<readonly string[]> => {
    const before = await state();
    assertCanRewind(before, choice);
    const files = choice.part === 'conversation' ? null : await filesTo(choice.toTurn, choice.part === 'both');
    if (choice.part !== 'files') {
      log.note({ type: 'rewound', toTurn: choice.toTurn });
      const after = await state();
      agent.goOnFrom(after);
      seen.clear();
      for (const [file, version] of after.seen) seen.set(file, version);
    }
    return renderRewind({ choice, turns: before.turns, files, isDryRun: false }, cwd);
  };
  return {
    turns: async () => (await state()).turns,
    rewind: async (choice) => {
      try {
        return await rewindOrThrow(choice);
      } catch (thrown) {
        if (thrown instanceof AgentError) return [thrown.message, thrown.remedy];
        return [`The rewind failed: ${messageOf(thrown)}`];
      }
    },
  };
}
