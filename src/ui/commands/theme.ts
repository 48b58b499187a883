import { THEME_CHOICES } from '../theme.ts';
import { type CommandContext, showLines } from './command.ts';

/** `/theme` lists, `/theme NAME` changes it for this chat. */
export async function changeTheme(context: CommandContext): Promise<void> {
  const { argument, chooseTheme, themeChoice, state } = context;
  const choice = THEME_CHOICES.find((candidate) => candidate === argument);
  if (choice === undefined)
    return showLines(context, [state.say('themes', { theme: themeChoice, names: THEME_CHOICES.join(', ') })]);
  chooseTheme(choice);
  showLines(context, [state.say('theme_now', { theme: choice })]);
}
