import type { ChatSession } from '../chat/session-port.ts';
import { THEME_CHOICES } from '../theme.ts';
import type { Say, WordKey } from '../words/say.ts';
import { changeModel, rewindSession, startAnew } from './change-session.ts';
import type { ChatCommand } from './command.ts';
import { copyAnswer } from './copy.ts';
import { INIT_PROMPT } from './init-prompt.ts';
import { compactSession, exportSession, resumeSession } from './keep-session.ts';
import { ownPromptCommand } from './own-prompt.ts';
import { showCost, showHelp, showPermissions, showServers, showTools } from './show-facts.ts';
import { openCall, showDiff } from './show-work.ts';
import { changeTheme } from './theme.ts';

type Run = ChatCommand['run'];
type Name = WordKey extends infer K ? (K extends `about_${infer N}` ? N : never) : never;

type Draft = Omit<ChatCommand, 'summary'> & { readonly name: Name };

/** A command that also works while something runs. */
const anytime = (name: Name, run: Run, choices?: readonly string[]): Draft => ({
  name,
  worksWhileBusy: true,
  run,
  ...(choices === undefined ? {} : { choices }),
});

/** A command that has to wait until nothing runs. */
const between = (name: Name, run: Run): Draft => ({ name, worksWhileBusy: false, run });

/** The commands that have something behind them in this session, and then the prompts that the person and the project keep. + COMMAND */
export function commandsOf(session: ChatSession, say: Say): readonly ChatCommand[] {
  const { undo, rewind, diff, switchModel, startAnew: fresh, permissions, servers, compact, sessions, canInit } = session;
  const undoes =
    (verb: 'undo' | 'redo'): Run =>
    async ({ show }) =>
      show({ type: 'lines', lines: (await undo?.(verb)) ?? [] });
  const all: readonly (Draft | false)[] = [
    anytime('help', showHelp),
    switchModel !== undefined && between('model', changeModel),
    permissions !== undefined && anytime('permissions', showPermissions),
    anytime('tools', showTools),
    servers !== undefined && anytime('mcp', showServers),
    diff !== undefined && anytime('diff', showDiff, ['last']),
    undo !== undefined && between('undo', undoes('undo')),
    undo !== undefined && between('redo', undoes('redo')),
    rewind !== undefined && between('rewind', rewindSession),
    compact !== undefined && between('compact', compactSession),
    sessions !== undefined && between('resume', resumeSession),
    session.export !== undefined && anytime('export', exportSession),
    canInit === true && between('init', async ({ prompt }) => prompt(INIT_PROMPT, '/init')),
    anytime('open', openCall),
    anytime('copy', copyAnswer, ['code 1']),
    anytime('cost', showCost),
    anytime('theme', changeTheme, THEME_CHOICES),
    fresh !== undefined && between('clear', startAnew),
    anytime('exit', async ({ leave }) => leave()),
  ];
  const builtin = all.flatMap((draft) => (draft === false ? [] : [{ ...draft, summary: say(`about_${draft.name}`) }]));
  const names = new Set<string>(builtin.map(({ name }) => name));
  const own = (session.prompts ?? []).filter(({ name }) => !names.has(name));
  return [...builtin, ...own.map(ownPromptCommand)];
}
