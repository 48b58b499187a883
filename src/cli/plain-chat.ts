import { compose, type Session } from '../app/compose.ts';
import { runLineChat } from '../ui/line-chat.ts';
import type { ChatFlags } from './args/flags.ts';
import { newSessionOf, withChoice } from './chat-choice.ts';
import { closeAll } from './close-sessions.ts';
import { composeRequest } from './compose-request.ts';
import { onTermination } from './interrupt.ts';
import { assertImagesFit, givenImages } from './given-images.ts';
import { createLineTerminal } from './line-terminal.ts';
import type { Say } from '../ui/words/say.ts';
import { chosenSay } from './language.ts';
import { rewindLines } from './rewind-lines.ts';
import { isNowTrusted } from './trust-question.ts';

/** The chat in plain lines, for pipes, simple terminals and screen readers. Resolves to the exit code. */
export async function plainChat(prompt: string | null, given: ChatFlags): Promise<number> {
  const terminal = createLineTerminal();
  const flags = await withChoice(given, (ask) => ask(terminal));
  if (flags === null) {
    terminal.close();
    return 0;
  }
  const trust = flags.trust === true || (await isNowTrusted(flags, (ask) => ask(terminal), await chosenSay({}, process.env)));
  const images = await givenImages(flags);
  const main = await compose(composeRequest({ ...flags, trust }, { canAsk: true, firstPrompt: null }));
  const opened: Session[] = [main];
  const say = await chosenSay(main.preferences, process.env);
  await assertImagesFit(images, main.model);
  const first = prompt === null ? [] : [prompt];
  const release = onTermination((exitCode) => {
    // What the terminal's end leaves running ends with the program.
    void closeAll(opened).finally(() => process.exit(exitCode));
  });
  try {
    const hasLeft = await runLineChat({
      terminal: { ...terminal, readLine: async (text) => first.shift() ?? terminal.readLine(text) },
      welcome: welcomeOf(main, say),
      say,
      images,
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

const INTERRUPTED = 130;

function welcomeOf({ model, cwd, notices }: Session, say: Say): string[] {
  const who = model.isDemo ? say('line_demo', { why: model.because }) : model.model;
  return [say('line_welcome', { folder: cwd, who }), ...notices, say('line_leave')];
}
