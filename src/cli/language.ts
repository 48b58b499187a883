import type { Preferences } from '../ui/preferences.ts';
import { languageOf, loadSay, type Say } from '../ui/words/say.ts';

/** In which language the terminal speaks: as the settings say, else as the environment does. */
export function chosenSay({ language = 'auto' }: Preferences, environment: NodeJS.ProcessEnv): Promise<Say> {
  return loadSay(language === 'auto' ? languageOf(localeIn(environment)) : languageOf(language));
}

/** The first that is set counts. Source: POSIX, Environment Variables, 8.2 */
function localeIn({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  return [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '') ?? '';
}
