import type { ChatSession } from '../chat/session-port.ts';
import { THEME_NAMES } from '../theme.ts';
import { changeModel, rewindSession, startAnew } from './change-session.ts';
import type { ChatCommand } from './command.ts';
import { copyAnswer } from './copy.ts';
import { showCost, showHelp, showPermissions, showTools } from './show-facts.ts';
import { openCall, showDiff } from './show-work.ts';
import { changeTheme } from './theme.ts';

/** The commands that have something behind them in this session. + COMMAND */
export function commandsOf(session: ChatSession): readonly ChatCommand[] {
  const { undo, rewind, diff, switchModel, startAnew: fresh, permissions } = session;
  const undoes = (verb: 'undo' | 'redo', summary: string): ChatCommand => ({
    name: verb,
    summary,
    worksWhileBusy: false,
    run: async ({ show }) => show({ type: 'lines', lines: (await undo?.(verb)) ?? [] }),
  });
  const all: readonly (ChatCommand | null)[] = [
    { name: 'help', summary: 'keys and commands', worksWhileBusy: true, run: showHelp },
    switchModel === undefined
      ? null
      : { name: 'model', summary: 'which model answers, or another one', worksWhileBusy: false, run: changeModel },
    permissions === undefined
      ? null
      : { name: 'permissions', summary: 'what is allowed, asked and refused', worksWhileBusy: true, run: showPermissions },
    { name: 'tools', summary: 'what the model can use', worksWhileBusy: true, run: showTools },
    diff === undefined
      ? null
      : {
          name: 'diff',
          summary: 'what changed; /diff last: in the last turn',
          choices: ['last'],
          worksWhileBusy: true,
          run: showDiff,
        },
    undo === undefined ? null : undoes('undo', 'take back what the last turn did to files'),
    undo === undefined ? null : undoes('redo', 'do again what was taken back'),
    rewind === undefined
      ? null
      : {
          name: 'rewind',
          summary: 'back to an earlier prompt (Esc Esc); /rewind 2: to the end of turn 2',
          worksWhileBusy: false,
          run: rewindSession,
        },
    { name: 'open', summary: 'all that a call answered: /open 7', worksWhileBusy: true, run: openCall },
    {
      name: 'copy',
      summary: 'the last answer; /copy code 1: its code block',
      choices: ['code 1'],
      worksWhileBusy: true,
      run: copyAnswer,
    },
    { name: 'cost', summary: 'tokens and dollars so far', worksWhileBusy: true, run: showCost },
    { name: 'theme', summary: 'how it looks', choices: THEME_NAMES, worksWhileBusy: true, run: changeTheme },
    fresh === undefined
      ? null
      : { name: 'clear', summary: 'a new conversation; this one is kept', worksWhileBusy: false, run: startAnew },
    { name: 'exit', summary: 'leave', worksWhileBusy: true, run: async ({ leave }) => leave() },
  ];
  return all.filter((command) => command !== null);
}
