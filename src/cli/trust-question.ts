import { realFolder } from '../app/real-folder.ts';
import { surveyTrust } from '../app/trust-survey.ts';
import { userFolders } from '../app/user-folders.ts';
import { askTrust } from '../ui/ask-trust.ts';
import type { LineTerminal } from '../ui/line-chat.ts';
import type { Say } from '../ui/words/say.ts';
import type { ChatFlags } from './args/flags.ts';
import { workingFolder } from './working-folder.ts';

/** Gives the question a terminal of lines to ask in. */
type WithTerminal = (ask: (terminal: LineTerminal) => Promise<boolean>) => Promise<boolean>;

/** Asks where a person is there to ask and there is something to trust. */
export async function isNowTrusted(flags: ChatFlags, withTerminal: WithTerminal, say: Say): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { state, root, loads } = await surveyTrust(realFolder(flags.cwd ?? workingFolder()), userFolders(process.env));
  if (state === 'trusted' || loads.length === 0) return false;
  return withTerminal((terminal) => askTrust(terminal, { folder: root, loads, hasChanged: state === 'changed' }, say));
}
