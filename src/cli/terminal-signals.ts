import type { Signals } from '../ui/chat/attention.ts';
import type { Preferences } from '../ui/preferences.ts';

const SHOWS_NOTIFICATIONS = ['iTerm.app', 'WezTerm', 'ghostty'];
// Others take the same sequence for a notification.
const SHOWS_PROGRESS = ['WezTerm', 'ghostty'];

/** What this terminal can be told, as far as its environment says, and the person wants. */
export function terminalSignals(
  environment: NodeJS.ProcessEnv,
  { notifications = 'auto', windowTitle = true }: Preferences,
): Signals {
  const { TERM = '', TERM_PROGRAM = '', WT_SESSION, ConEmuANSI } = environment;
  const usual = SHOWS_NOTIFICATIONS.includes(TERM_PROGRAM) || TERM === 'xterm-kitty' ? 'osc9' : 'bell';
  return {
    title: windowTitle && TERM !== 'linux',
    progress: WT_SESSION !== undefined || ConEmuANSI === 'ON' || SHOWS_PROGRESS.includes(TERM_PROGRAM),
    notify: notifications === 'auto' ? usual : notifications,
  };
}
