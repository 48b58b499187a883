import { type AssistantMessage, type Message, toolUsesOf } from '../../core/message.ts';
import { MessageCache } from '../message-cache.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';
import { type GeminiAudience, modelParts, userParts } from './history.ts';

interface Content {
  readonly role: 'user' | 'model';
  /** The parts as JSON, without the brackets around them. */
  readonly parts: string;
}

/** The messages as JSON contents: user and model in turn, the user first. Source: google-gemini/gemini-cli, historyHardening */
export function renderContents(messages: readonly Message[], audience: GeminiAudience): string[] {
  const contents: Content[] = [];
  messages.forEach((message, i) => {
    const content = contentOf(message, messages[i - 1], audience);
    const last = contents.at(-1);
    if (content.parts === '') return;
    if (last?.role === content.role) contents[contents.length - 1] = { ...last, parts: `${last.parts},${content.parts}` };
    else contents.push(content);
  });
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: '{"text":"Go on."}' });
  return contents.map(({ role, parts }) => `{"role":"${role}","parts":[${parts}]}`);
}

const made = new MessageCache<Content>();

function contentOf(message: Message, before: Message | undefined, audience: GeminiAudience): Content {
  const asked = message.role === 'user' && before?.role === 'assistant' ? before : null;
  // Results are told with the names of their calls.
  const calls = asked === null ? [] : toolUsesOf(asked).map(({ id, name, wireId }) => [id, name, wireId]);
  const key = JSON.stringify([audience, calls, asked?.provider, asked?.model]);
  return made.get(message, key, () => renderContent(message, asked, audience));
}

function renderContent(message: Message, asked: AssistantMessage | null, audience: GeminiAudience): Content {
  const parts = message.role === 'user' ? userParts(message, asked, audience) : modelParts(message, audience);
  return { role: message.role === 'user' ? 'user' : 'model', parts: stringifyWellFormed(parts).slice(1, -1) };
}
