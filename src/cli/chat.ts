import type { ChatFlags } from './args/flags.ts';

/** `wield`: the chat. In a terminal that can be drawn in it is drawn, everywhere else it is plain lines. Resolves to the exit code. */
export async function chat(prompt: string | null, flags: ChatFlags): Promise<number> {
  if (isPlain(flags)) return (await import('./plain-chat.ts')).plainChat(prompt, flags);
  return (await import('./inline-chat.ts')).inlineChat(prompt, flags);
}

function isPlain({ screenReader, tui }: ChatFlags): boolean {
  const { TERM, WIELD_SCREEN_READER } = process.env;
  if (!process.stdin.isTTY || !process.stdout.isTTY) return true;
  return screenReader === true || tui === false || TERM === 'dumb' || (WIELD_SCREEN_READER ?? '') !== '';
}
