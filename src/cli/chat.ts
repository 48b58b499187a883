import { compose, type Session } from '../app/compose.ts';
import { runLineChat } from '../ui/line-chat.ts';
import type { ChatFlags } from './args.ts';
import { composeRequest } from './compose-request.ts';
import { onTermination } from './interrupt.ts';
import { createLineTerminal } from './line-terminal.ts';

/** `wield`: a chat in plain lines. Resolves to the exit code. */
export async function chat(prompt: string | null, flags: ChatFlags): Promise<number> {
  const main = await compose(composeRequest(flags, { canAsk: true, firstPrompt: null }));
  const opened: Session[] = [main];
  const terminal = createLineTerminal();
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
        const tour = await compose(composeRequest({ ...flags, continue: false }, { canAsk: true, firstPrompt: text }));
        opened.push(tour);
        return { agent: tour.agent, notices: tour.notices };
      },
    });
    return hasLeft ? INTERRUPTED : 0;
  } finally {
    release();
    terminal.close();
    await closeAll(opened);
  }
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
