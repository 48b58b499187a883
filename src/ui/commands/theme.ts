import { createTheme, THEME_NAMES } from '../theme.ts';
import { type CommandContext, showLines } from './command.ts';

/** `/theme` lists, `/theme NAME` changes it for this chat. */
export async function changeTheme(context: CommandContext): Promise<void> {
  const { argument, setTheme, state } = context;
  const name = THEME_NAMES.find((candidate) => candidate === argument);
  if (name === undefined) return showLines(context, [`Themes: ${THEME_NAMES.join(', ')}. /theme NAME changes it.`]);
  setTheme(createTheme(name, { hasLinks: state.theme.hasLinks }));
  showLines(context, [`theme ${name}`]);
}
