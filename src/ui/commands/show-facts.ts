import { formatCost } from '../view/format.ts';
import { type CommandContext, showLines } from './command.ts';
import keys from './keys.json' with { type: 'json' };

export async function showHelp(context: CommandContext): Promise<void> {
  const width = Math.max(...keys.map(([key = '']) => key.length));
  showLines(context, [
    'Type what you want done, in any language.',
    ...keys.map(([key = '', words = '']) => `  ${key.padEnd(width)}  ${words}`),
    ...context.commands.map(({ name, summary }) => `  ${`/${name}`.padEnd(width)}  ${summary}`),
  ]);
}

export async function showTools(context: CommandContext): Promise<void> {
  showLines(context, [`${context.session.toolNames.length} tools`, ...context.session.toolNames.map((name) => `  ${name}`)]);
}

export async function showPermissions(context: CommandContext): Promise<void> {
  showLines(context, (await context.session.permissions?.()) ?? []);
}

export async function showServers(context: CommandContext): Promise<void> {
  showLines(context, (await context.session.servers?.()) ?? []);
}

export async function showCost(context: CommandContext): Promise<void> {
  const { usage, cost, contextUsed, session } = context.state;
  const size = session?.contextTokens ?? null;
  showLines(context, [
    `tokens in ${usage.inputTokens} · out ${usage.outputTokens} · from cache ${usage.cacheReadTokens} · into cache ${usage.cacheWriteTokens}`,
    `cost ${cost === null ? 'not known: this model has no list price here' : `${formatCost(cost)} by the list price`}`,
    ...(contextUsed === null ? [] : [`context ${contextUsed}${size === null ? '' : ` of ${size}`} tokens`]),
  ]);
}
