import type { AssistantMessage, Message } from '../../core/message.ts';
import { type GeminiAudience, modelParts, userParts } from './history.ts';
import { stringifyWellFormed } from '../well-formed-json.ts';

interface Content {
  readonly role: 'user' | 'model';
  /** The parts as JSON, without the brackets around them. */
  readonly parts: string;
}

/** The messages as JSON contents: user and model in turn, the user first. Source: google-gemini/gemini-cli, historyHardening */
export function renderContents(messages: readonly Message[], audience: GeminiAudience): string[] {
  const contents: Content[] = [];
  messages.forEach((message, i) => {
    const content = serialise(message, { before: messages[i - 1], audience });
    const last = contents.at(-1);
    if (content.parts === '') return;
    if (last?.role === content.role) contents[contents.length - 1] = { ...last, parts: `${last.parts},${content.parts}` };
    else contents.push(content);
  });
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: '{"text":"Go on."}' });
  return contents.map(({ role, parts }) => `{"role":"${role}","parts":[${parts}]}`);
}

interface Surroundings {
  readonly before: Message | undefined;
  readonly audience: GeminiAudience;
}

interface Serialised {
  readonly audience: string;
  readonly before: Message | undefined;
  readonly content: Content;
}

// A published message never changes, so its wire text is made once for the model that it goes to. Results name the calls before them.
const serialised = new WeakMap<Message, Serialised>();

function serialise(message: Message, { before, audience }: Surroundings): Content {
  const key = JSON.stringify(audience);
  const known = serialised.get(message);
  if (known?.audience === key && (message.role === 'assistant' || known.before === before)) return known.content;
  const content = renderContent(message, before?.role === 'assistant' ? before : null, audience);
  serialised.set(message, { audience: key, before, content });
  return content;
}

function renderContent(message: Message, asked: AssistantMessage | null, audience: GeminiAudience): Content {
  const parts = message.role === 'user' ? userParts(message, asked, audience) : modelParts(message, audience);
  return { role: message.role === 'user' ? 'user' : 'model', parts: stringifyWellFormed(parts).slice(1, -1) };
}
