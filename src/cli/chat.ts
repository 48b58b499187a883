import { compose, type Session } from '../app/compose.ts';
import { realFolder } from '../app/real-folder.ts';
import { surveyTrust } from '../app/trust-survey.ts';
import { userFolders } from '../app/user-folders.ts';
import { askTrust } from '../ui/ask-trust.ts';
import { type LineTerminal, runLineChat } from '../ui/line-chat.ts';
import type { ChatFlags } from './args.ts';
import { composeRequest } from './compose-request.ts';
import { onTermination } from './interrupt.ts';
import { createLineTerminal } from './line-terminal.ts';
import { workingFolder } from './working-folder.ts';

/** `wield`: a chat in plain lines. Resolves to the exit code. */
export async function chat(prompt: string | null, given: ChatFlags): Promise<number> {
  const terminal = createLineTerminal();
  const flags = given.resume === true ? await withChoice(given, terminal) : given;
  if (flags === null) {
    terminal.close();
    return 0;
  }
  const trust = flags.trust === true || (await isNowTrusted(terminal, flags));
  const main = await compose(composeRequest({ ...flags, trust }, { canAsk: true, firstPrompt: null }));
  const opened: Session[] = [main];
  const first = prompt === null ? [] : [prompt];
  const release = onTermination((exitCode) => {
    // What the terminal's end leaves running ends with the program.
    void closeAll(opened).finally(() => process.exit(exitCode));
  });
  try {
    const hasLeft = await runLineChat({
      terminal: { ...terminal, readLine: async (text) => first.shift() ?? terminal.readLine(text) },
      welcome: welcomeOf(main),
      agentFor: async (text) => {
        if (!main.model.wantsTour(text)) return { agent: main.agent, notices: [] };
        // The tour has a workspace of its own.
        const tour = await compose(composeRequest(newSessionOf(flags), { canAsk: true, firstPrompt: text }));
        opened.push(tour);
        return { agent: tour.agent, notices: tour.notices };
      },
      undo: (verb) => (opened.at(-1) ?? main).undo(verb),
      rewind: (toTurn) => rewindLines(opened.at(-1) ?? main, toTurn),
    });
    return hasLeft ? INTERRUPTED : 0;
  } finally {
    release();
    terminal.close();
    await closeAll(opened);
  }
}

/** Loaded only where a person is to choose. */
async function withChoice(flags: ChatFlags, terminal: LineTerminal): Promise<ChatFlags | null> {
  const { withChosenSession } = await import('./resume-choice.ts');
  return withChosenSession(flags, process.stdin.isTTY && process.stdout.isTTY ? terminal : null);
}

/** Asks where a person is there to ask and there is something to trust. */
async function isNowTrusted(terminal: LineTerminal, flags: ChatFlags): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { state, root, loads } = await surveyTrust(realFolder(flags.cwd ?? workingFolder()), userFolders(process.env));
  if (state === 'trusted' || loads.length === 0) return false;
  return askTrust(terminal, { folder: root, loads, hasChanged: state === 'changed' });
}

/** What to say where no turn is named: those there are. */
async function rewindLines(session: Session, toTurn: number | null): Promise<readonly string[]> {
  if (toTurn !== null) return session.rewind({ toTurn, part: 'both' });
  const turns = await session.turns();
  if (turns.length === 0) return ['There is nothing to rewind yet.'];
  const { turnLine } = await import('../app/rewind.ts');
  return [...turns.map(turnLine), '/rewind N goes back to the end of turn N, 0 to the beginning; files and conversation.'];
}

/** The same beside the session that is gone on with. */
function newSessionOf({ resume: _resume, sessionId: _id, ...flags }: ChatFlags): ChatFlags {
  return { ...flags, continue: false, forkSession: false };
}

const INTERRUPTED = 130;
const CLOSE_MS = 1000;

/** A session that cannot be closed in time does not hold up the end. */
async function closeAll(sessions: readonly Session[]): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS));
  await Promise.race([Promise.all(sessions.map((session) => session.close())), late]);
}

function welcomeOf({ model, cwd, notices }: Session): string[] {
  const who = model.isDemo
    ? `demo model, not an AI (${model.because}); try "tour", or "what is in the entry file?"`
    : model.model;
  return [`wield in ${cwd} — ${who}`, ...notices, 'exit or Ctrl-D leaves; Ctrl-C interrupts.'];
}
