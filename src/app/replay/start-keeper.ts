import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOfSubAgent } from '../../core/agent-event.ts';
import type { Agent } from '../../core/agent.ts';
import { messageOf } from '../../core/errors.ts';
import type { EffectJournal } from '../../core/ports.ts';
import type { SessionLog } from '../../core/session.ts';
import { ContentStore } from '../../host/effects/content-store.ts';
import { takeSnapshot } from '../../host/effects/snapshot.ts';
import { appendStart } from '../../sessions/replay-start.ts';
import type { StartFacts, StartState } from '../../sessions/start-state.ts';
import { isLocaleVariable, START_VERSION } from '../../sessions/start-state.ts';

export interface StartKeeperOptions {
  /** False by a setting: nothing is kept. */
  readonly isOn: boolean;
  readonly facts: StartFacts;
  readonly sessionPath: string;
  /** Messages that the session had before, and prompts, rewound ones too. */
  readonly pastMessages: number;
  readonly pastPrompts: number;
  /** Where contents of the files of this project are kept. */
  readonly folder: string;
  /** Folders of ours, real paths. */
  readonly excluded: readonly string[];
}

/** Keeps the files as they are before the first call of a session, so that it can be replayed. Reads do not wait for it. */
export interface StartKeeper {
  logOf(log: SessionLog): SessionLog;
  journalOf(journal: EffectJournal): EffectJournal;
  /** Somebody else changed files: they are looked at once more before the next call. */
  renew(): void;
  /** The same agent; where its conversation goes back, what is kept next belongs there. */
  agentOf(agent: Agent): Agent;
  close(): Promise<void>;
}

/** A session that ends does not wait longer than this for its files to be kept. */
const CLOSE_MS = 1500;

export function createStartKeeper(options: StartKeeperOptions): StartKeeper {
  const place = { messages: options.pastMessages, prompt: options.pastPrompts };
  let kept: Promise<void> | null = null;
  const ended = new AbortController();
  const begin = (): void => {
    if (options.isOn) kept ??= keep(options, { ...place }, ended.signal);
  };
  return {
    logOf: (log) => ({
      ...log,
      append: (event) => {
        if (event.type === 'message_added' && !isOfSubAgent(event)) place.messages++;
        if (event.type === 'run_start' && !isOfSubAgent(event)) place.prompt++;
        // Before it runs: whatever it is, from here on the files may change.
        if (event.type === 'permission_decided' && event.decision === 'allow') begin();
        log.append(event);
      },
    }),
    journalOf: (journal) => ({
      started: async (call, scope) => {
        await kept;
        await journal.started(call, scope);
      },
      finished: (call, result) => journal.finished(call, result),
    }),
    renew: () => {
      kept = null;
    },
    agentOf: (agent) => ({
      ...agent,
      goOnFrom: (past) => {
        place.messages = past.messages.length;
        agent.goOnFrom(past);
      },
    }),
    close: async () => {
      const timer = setTimeout(() => ended.abort(new Error('the session ended before all files were kept')), CLOSE_MS);
      await kept;
      clearTimeout(timer);
    },
  };
}

/** The language and the zone that programs write times in. */
export function languageOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const named = Object.entries(environment).filter(([name]) => isLocaleVariable(name));
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The system's folder for temporary files. */
export function tempFolder(): string {
  return tmpdir();
}

/** What goes wrong is part of what is kept: a replay tells it. */
async function keep(
  { facts, sessionPath, folder, excluded }: StartKeeperOptions,
  place: Pick<StartState, 'messages' | 'prompt'>,
  signal: AbortSignal,
): Promise<void> {
  const state = { type: 'start', version: START_VERSION, ...place, ...facts } as const;
  const write = (entries: string | null, missing: string | null): void => {
    try {
      appendStart(sessionPath, { ...state, entries, missing });
    } catch {
      // The session's own log, in the same folder, tells of a disk that takes nothing more.
    }
  };
  try {
    const store = new ContentStore(join(folder, 'contents'));
    try {
      const entries = await takeSnapshot({ root: facts.cwd, excluded, folder, store, signal });
      // In the store too: the list of a folder that stays as it is stands there once.
      const list = store.put(Buffer.from(JSON.stringify(entries)));
      store.flush();
      write(list, null);
    } finally {
      store.close();
    }
  } catch (thrown) {
    write(null, messageOf(thrown));
  }
}
