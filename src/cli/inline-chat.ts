import manifest from '../../package.json' with { type: 'json' };
import { runInlineChat } from '../ui/chat/inline-chat.ts';
import type { LineTerminal } from '../ui/line-chat.ts';
import { createTheme, type Theme } from '../ui/theme.ts';
import type { ChatFlags } from './args/flags.ts';
import { withChoice } from './chat-choice.ts';
import { givenImages } from './given-images.ts';
import { createChatHost } from './chat-host.ts';
import { onTermination } from './interrupt.ts';
import { chosenSay } from './language.ts';
import { createRawTerminal } from './raw-terminal.ts';
import { terminalSignals } from './terminal-signals.ts';
import { workingFolder } from './working-folder.ts';

/** The chat that is drawn in the terminal. The first frame needs nothing of a session; that is loaded behind it. */
export async function inlineChat(prompt: string | null, given: ChatFlags): Promise<number> {
  const flags = await withChoice(given, inLines);
  if (flags === null) return 0;
  const images = await givenImages(flags);
  const say = await chosenSay({}, process.env);
  const terminal = createRawTerminal(process.env);
  let close: (() => Promise<void>) | null = null;
  const release = onTermination((exitCode) => {
    // What the terminal's end leaves running ends with the program.
    void (close?.() ?? Promise.resolve()).finally(() => process.exit(exitCode));
  });
  try {
    return await runInlineChat({
      terminal,
      host: createChatHost(flags.cwd ?? workingFolder()),
      theme: themeOf(process.env),
      say,
      signalsOf: (preferences) => terminalSignals(process.env, preferences),
      loadRenderer: async () => (await import('../ui/markdown/markdown-stream.ts')).createMarkdownStream,
      prompt,
      images,
      openSession: async (aside) => {
        const [{ openChatSession }, { isNowTrusted }] = await Promise.all([
          import('./chat-session.ts'),
          import('./trust-question.ts'),
        ]);
        const trust = flags.trust === true || (await isNowTrusted(flags, (ask) => aside(() => inLines(ask)), say));
        const session = await openChatSession({ ...flags, trust }, manifest.version);
        close = () => session.close();
        return session;
      },
    });
  } finally {
    release();
  }
}

/** A question in plain lines, while nothing is drawn. */
async function inLines<T>(ask: (terminal: LineTerminal) => Promise<T>): Promise<T> {
  const { createLineTerminal } = await import('./line-terminal.ts');
  const terminal = createLineTerminal();
  try {
    return await ask(terminal);
  } finally {
    terminal.close();
  }
}

/** Colours of the terminal's own palette: they suit a dark and a light one. */
function themeOf({ NO_COLOR, TERM, TERM_PROGRAM }: NodeJS.ProcessEnv): Theme {
  if ((NO_COLOR ?? '') !== '' || TERM === undefined) return createTheme('plain');
  return createTheme('ansi-16', { hasLinks: ['iTerm.app', 'WezTerm', 'vscode', 'ghostty'].includes(TERM_PROGRAM ?? '') });
}
