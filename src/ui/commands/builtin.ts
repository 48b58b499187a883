import type { ChatSession } from '../chat/session-port.ts';
import { THEME_CHOICES } from '../theme.ts';
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

/** A command that also works while something runs. */
const anytime = (name: string, summary: string, run: Run, choices?: readonly string[]): ChatCommand => ({
  name,
  summary,
  worksWhileBusy: true,
  run,
  ...(choices === undefined ? {} : { choices }),
});

/** A command that has to wait until nothing runs. */
const between = (name: string, summary: string, run: Run): ChatCommand => ({ name, summary, worksWhileBusy: false, run });

/** The commands that have something behind them in this session, and then the prompts that the person and the project keep. + COMMAND */
export function commandsOf(session: ChatSession): readonly ChatCommand[] {
  const { undo, rewind, diff, switchModel, startAnew: fresh, permissions, servers, compact, sessions, canInit } = session;
  const undoes =
    (verb: 'undo' | 'redo'): Run =>
    async ({ show }) =>
      show({ type: 'lines', lines: (await undo?.(verb)) ?? [] });
  const all: readonly (ChatCommand | false)[] = [
    anytime('help', 'keys and commands', showHelp),
    switchModel !== undefined && between('model', 'which model answers, or another one', changeModel),
    permissions !== undefined && anytime('permissions', 'what is allowed, asked and refused', showPermissions),
    anytime('tools', 'what the model can use', showTools),
    servers !== undefined && anytime('mcp', 'the MCP servers and their tools', showServers),
    diff !== undefined && anytime('diff', 'what changed; /diff last: in the last turn', showDiff, ['last']),
    undo !== undefined && between('undo', 'take back what the last turn did to files', undoes('undo')),
    undo !== undefined && between('redo', 'do again what was taken back', undoes('redo')),
    rewind !== undefined &&
      between('rewind', 'back to an earlier prompt (Esc Esc); /rewind 2: to the end of turn 2', rewindSession),
    compact !== undefined && between('compact', 'a summary in place of the older messages', compactSession),
    sessions !== undefined && between('resume', 'go on with another session of this folder', resumeSession),
    session.export !== undefined && anytime('export', 'this session as a page; /export FILE.md, FILE.json', exportSession),
    canInit === true &&
      between('init', 'have AGENTS.md written for this project', async ({ prompt }) => prompt(INIT_PROMPT, '/init')),
    anytime('open', 'all that a call answered: /open 7', openCall),
    anytime('copy', 'the last answer; /copy code 1: its code block', copyAnswer, ['code 1']),
    anytime('cost', 'tokens and dollars so far', showCost),
    anytime('theme', 'how it looks', changeTheme, THEME_CHOICES),
    fresh !== undefined && between('clear', 'a new conversation; this one is kept', startAnew),
    anytime('exit', 'leave', async ({ leave }) => leave()),
  ];
  const builtin = all.filter((command) => command !== false);
  const names = new Set(builtin.map(({ name }) => name));
  const own = (session.prompts ?? []).filter(({ name }) => !names.has(name));
  return [...builtin, ...own.map(ownPromptCommand)];
}
