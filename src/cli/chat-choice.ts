import type { LineTerminal } from '../ui/line-chat.ts';
import type { ChatFlags } from './args/flags.ts';

/** The flags with the session that a person chooses, where --resume names none; null where they chose none. Loaded only there. */
export async function withChoice(
  flags: ChatFlags,
  ask: <T>(question: (terminal: LineTerminal) => Promise<T>) => Promise<T>,
): Promise<ChatFlags | null> {
  if (flags.resume !== true) return flags;
  const { withChosenSession } = await import('./resume-choice.ts');
  if (!process.stdin.isTTY || !process.stdout.isTTY) return withChosenSession(flags, null);
  return ask((terminal) => withChosenSession(flags, terminal));
}

/** The same flags for a session beside the one that is gone on with. */
export function newSessionOf({ resume: _resume, sessionId: _id, ...flags }: ChatFlags): ChatFlags {
  return { ...flags, continue: false, forkSession: false };
}
