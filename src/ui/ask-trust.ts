import { displayLine } from '../core/display-text.ts';
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
export async function askTrust(terminal: LineTerminal, { folder, loads, hasChanged }: TrustQuestion): Promise<boolean> {
  const why = hasChanged
    ? 'changed since you trusted this folder. It can set permissions and run commands:'
    : 'in this folder would be loaded. It can steer the model, set permissions and run commands:';
  terminal.write(`This ${why}\n`);
  for (const path of loads.slice(0, MAX_SHOWN)) terminal.write(`  ${displayLine(path, 300)}\n`);
  if (loads.length > MAX_SHOWN) terminal.write(`  and ${loads.length - MAX_SHOWN} more\n`);
  const answer = await terminal.readAnswer(`Trust ${displayLine(folder, 300)}${hasChanged ? ' as it is now' : ''}? y/N: `);
  return /^(?:y|yes|是|好|可以)$/i.test(answer?.trim() ?? '');
}
