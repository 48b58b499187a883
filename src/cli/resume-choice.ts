import { basename } from 'node:path';
import { realFolder } from '../app/real-folder.ts';
import { pathOfSession, recentSessions } from '../app/past-session.ts';
import { userFolders } from '../app/user-folders.ts';
import { AgentError } from '../core/errors.ts';
import type { LineTerminal } from '../ui/line-chat.ts';
import { choiceLines, pickSession, type SessionChoice } from '../ui/pick-session.ts';
import type { ChatFlags } from './args/flags.ts';
import { chosenSay } from './language.ts';
import { workingFolder } from './working-folder.ts';

/**
 * The flags with the session that a person chooses, where --resume named none. Null where they chose none.
 * Errors: AgentError `misuse` with the list where nobody is there to choose, `session_missing` where there is none.
 */
export async function withChosenSession(flags: ChatFlags, terminal: LineTerminal | null): Promise<ChatFlags | null> {
  if (flags.resume !== true) return flags;
  const cwd = realFolder(flags.cwd ?? workingFolder());
  const choices = (await recentSessions(userFolders(process.env), cwd)).map(choiceOf);
  if (terminal === null)
    throw new AgentError({
      code: 'misuse',
      message: `--resume names no session, and nobody can be asked here. There are\n${choiceLines(choices).join('\n')}`,
      remedy: 'Give an id or a name: --resume ID.',
    });
  const resume = await pickSession(terminal, choices, await chosenSay({}, process.env));
  return resume === null ? null : { ...flags, resume };
}

/** The sessions of a folder to choose from; none where there are none. */
export async function sessionChoices(cwd: string): Promise<readonly SessionChoice[]> {
  try {
    return (await recentSessions(userFolders(process.env), cwd)).map(choiceOf);
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'session_missing') return [];
    throw thrown;
  }
}

/** The id that an id or a name means. Errors: AgentError `session_missing`, `session_ambiguous`. */
export async function idOfSession(meant: string, cwd: string): Promise<string> {
  return basename(await pathOfSession(meant, userFolders(process.env), cwd), '.jsonl');
}

function choiceOf({ id, name, firstPrompt, mtimeMs }: Awaited<ReturnType<typeof recentSessions>>[number]): SessionChoice {
  const time = new Date(mtimeMs).toISOString().replace('T', ' ').slice(0, 16);
  return { id, time, title: name ?? firstPrompt ?? '' };
}
