import type { Message } from '../../core/message.ts';
import { MessageCache } from '../message-cache.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import { type AnthropicAudience, renderBlocks } from './history.ts';

interface Turn {
  readonly role: Message['role'];
  /** The blocks as JSON, without the brackets around them. */
  readonly blocks: string;
}

/** What a cache goes up to. Source: platform.claude.com/docs/en/build-with-claude/prompt-caching */
export const EPHEMERAL = { type: 'ephemeral' } as const;

/** The messages as JSON turns. One of which nothing is left for this audience is dropped, and its neighbours become one. */
export function renderTurns(messages: readonly Message[], audience: AnthropicAudience): string[] {
  const key = JSON.stringify(audience);
  const turns: Turn[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message, audience, key);
    const last = turns.at(-1);
    if (blocks === '') continue;
    if (last?.role === message.role) turns[turns.length - 1] = { ...last, blocks: `${last.blocks},${blocks}` };
    else turns.push({ role: message.role, blocks });
  }
  for (const index of breakpoints(turns)) turns[index] = withBreakpoint(turns[index] as Turn);
  return turns.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks}]}`);
}

const made = new MessageCache<string>();

function blocksOf(message: Message, audience: AnthropicAudience, key: string): string {
  return made.get(message, key, () => stringifyWellFormed(renderBlocks(message, audience)).slice(1, -1));
}

/** The last two turns of the user: in one of them the request before ended. A cache is looked for 20 blocks back, which a round of many calls exceeds. */
function breakpoints(turns: readonly Turn[]): number[] {
  return turns.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
}

/** The last block, which is an object, gets the mark. */
function withBreakpoint({ role, blocks }: Turn): Turn {
  return { role, blocks: `${blocks.slice(0, -1)},"cache_control":${JSON.stringify(EPHEMERAL)}}` };
}
