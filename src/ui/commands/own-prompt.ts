import type { ChatSession } from '../chat/session-port.ts';
import type { ChatCommand } from './command.ts';

type OwnPrompt = NonNullable<ChatSession['prompts']>[number];

/** A command that a person or a project keeps as a prompt. */
export function ownPromptCommand({ name, summary, expand }: OwnPrompt): ChatCommand {
  return {
    name,
    summary,
    worksWhileBusy: true,
    run: async ({ argument, prompt }) => {
      const text = await expand(argument);
      prompt(text, argument === '' ? `/${name}` : `/${name} ${argument}`);
    },
  };
}
