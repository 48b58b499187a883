import type { WordKey } from '../words/say.ts';
import { formatCost } from '../view/format.ts';
import { type CommandContext, showLines } from './command.ts';
import keys from './keys.json' with { type: 'json' };

export async function showHelp(context: CommandContext): Promise<void> {
  const { say } = context.state;
  // What each does names a sentence of the catalogue.
  const known = keys as readonly { readonly key: string; readonly does: WordKey }[];
  const width = Math.max(...known.map(({ key }) => key.length));
  showLines(context, [
    say('help_intro'),
    ...known.map(({ key, does }) => `  ${key.padEnd(width)}  ${say(does)}`),
    ...context.commands.map(({ name, summary }) => `  ${`/${name}`.padEnd(width)}  ${summary}`),
  ]);
}

export async function showTools(context: CommandContext): Promise<void> {
  showLines(context, [
    context.state.say('tools_count', { count: context.session.toolNames.length }),
    ...context.session.toolNames.map((name) => `  ${name}`),
  ]);
}

export async function showPermissions(context: CommandContext): Promise<void> {
  showLines(context, (await context.session.permissions?.()) ?? []);
}

export async function showServers(context: CommandContext): Promise<void> {
  showLines(context, (await context.session.servers?.()) ?? []);
}

export async function showCost(context: CommandContext): Promise<void> {
  const { usage, cost, contextUsed, session, say } = context.state;
  const size = session?.contextTokens ?? null;
  showLines(context, [
    say('cost_tokens', {
      in: usage.inputTokens,
      out: usage.outputTokens,
      read: usage.cacheReadTokens,
      write: usage.cacheWriteTokens,
    }),
    cost === null ? say('cost_unknown') : say('cost_known', { cost: formatCost(cost) }),
    ...(contextUsed === null
      ? []
      : [size === null ? say('cost_context', { used: contextUsed }) : say('cost_context_of', { used: contextUsed, size })]),
  ]);
}
