import type { Message } from '../core/message.ts';
import { holdSession } from '../sessions/session-lock.ts';
import { type OpenSessionLog, openSessionLog } from '../sessions/session-log.ts';
import type { PastSession } from './past-session.ts';

/** The log of a session that begins or goes on. */
export interface OpenPast {
  readonly log: OpenSessionLog;
  /** Makes the file of a fork. Gives the messages to go on from, with answers to the calls that a crash left open. */
  readonly begin: () => Promise<readonly Message[]>;
  /** A fork that came to nothing goes. */
  readonly close: () => Promise<void>;
}

const BEFORE_ALL = { seq: 0, turn: 0, agentId: 'main' } as const;

/** Opens the log of a session. Nothing is written before `begin`. */
export function openPast(past: PastSession, { cwd, model }: { readonly cwd: string; readonly model: string }): OpenPast {
  const { id, path, fork, messages, lostAnswers, turnCount } = past;
  const header = { type: 'session', version: 1, id, cwd, model, createdAt: new Date().toISOString() } as const;
  const file = openSessionLog(path, header, turnCount);
  let untold = lostAnswers;
  // Written with the first thing that is: a session that was only looked at stays as it is.
  const settle = (): void => {
    const message = untold;
    untold = null;
    if (message !== null) file.append({ ...BEFORE_ALL, type: 'message_added', message });
  };
  const log: OpenSessionLog = {
    ...file,
    append: (event) => {
      settle();
      file.append(event);
    },
    note: (note) => {
      settle();
      file.note(note);
    },
    get hasContent() {
      return file.hasContent;
    },
  };
  return {
    log,
    begin: async () => {
      if (fork !== null) {
        holdSession(path);
        await (await import('../sessions/fork-session.ts')).writeFork(path, header, fork);
      }
      return lostAnswers === null ? messages : [...messages, lostAnswers];
    },
    close: async () => {
      await log.close();
      if (fork !== null && !log.hasContent) await (await import('../sessions/fork-session.ts')).removeFork(path);
    },
  };
}
