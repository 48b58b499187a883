import { displayLine } from '../core/display-text.ts';
import { type Say, sayInEnglish } from './words/say.ts';
import type { LineTerminal } from './line-chat.ts';

/** What the question of trust is about. */
export interface TrustQuestion {
  readonly folder: string;
  /** What would be loaded, by path. */
  readonly loads: readonly string[];
  /** True where the folder was trusted before, and what it can run changed since. */
  readonly hasChanged: boolean;
}

const MAX_SHOWN = 20;

/** Asks once whether to trust a folder. Enter, and anything but a yes, is a no. */
export async function askTrust(
  terminal: LineTerminal,
  { folder, loads, hasChanged }: TrustQuestion,
  say: Say = sayInEnglish,
): Promise<boolean> {
  terminal.write(`${say(hasChanged ? 'trust_changed' : 'trust_new')}\n`);
  for (const path of loads.slice(0, MAX_SHOWN)) terminal.write(`  ${displayLine(path, 300)}\n`);
  if (loads.length > MAX_SHOWN) terminal.write(`  ${say('and_more', { count: loads.length - MAX_SHOWN })}\n`);
  const answer = await terminal.readAnswer(
    say(hasChanged ? 'trust_question_changed' : 'trust_question', { folder: displayLine(folder, 300) }),
  );
  return /^(?:y|yes|是|好|可以)$/i.test(answer?.trim() ?? '');
}
