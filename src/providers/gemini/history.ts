import { isJsonObject, type JsonValue } from '../../core/json-value.ts';
import {
  type AssistantMessage,
  type ImageBlock,
  type ReplayToken,
  type TextBlock,
  textOf,
  type ToolResultBlock,
  type ToolUseBlock,
  toolUsesOf,
  type UserMessage,
} from '../../core/message.ts';
import { wireNameOf } from '../wire-ids.ts';

/** Whom a history is rendered for. */
export interface GeminiAudience {
  readonly provider: string;
  readonly model: string;
  readonly seesImages: boolean;
}

type Part = Readonly<Record<string, JsonValue>>;

// Accepted in place of a signature. Source: ai.google.dev/gemini-api/docs/thought-signatures, 2026-08; vercel/ai a8d70b6
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The parts of an answer: all its calls in one content, each with its own signature. */
export function modelParts(message: AssistantMessage, audience: GeminiAudience): Part[] {
  const firstCall = message.content.find((block) => block.type === 'tool_use');
  return message.content.flatMap((block) => {
    const own = ownData(block.replay, audience);
    switch (block.type) {
      case 'text':
        return block.text.trim() === '' ? [] : [{ text: block.text, ...own }];
      case 'thinking':
        // Thoughts are for people; only a signed one has something to tell the model.
        return own === null ? [] : [{ text: block.text, thought: true, ...own }];
      case 'opaque':
        return own === null ? [] : [own];
      case 'tool_use': {
        const needsOne = block === firstCall && own === null && asksForSignature(audience.model);
        return [{ functionCall: callOf(block, message, audience), ...(needsOne ? { thoughtSignature: NO_SIGNATURE } : own) }];
      }
    }
  });
}

/** Gemini 3 and later refuse a step whose first call has no signature; names without a number lead to the newest. Source: googleapis/js-genai#1275 */
function asksForSignature(model: string): boolean {
  return !/gemini-[12](?:\.|-|$)/.test(model);
}

function callOf(call: ToolUseBlock, message: AssistantMessage, audience: GeminiAudience): Part {
  // Text that was no JSON is never replayed; the result beside it tells the model what it wrote.
  const args = isJsonObject(call.input) ? (call.input as Part) : {};
  return { ...idOf(call, message, audience), name: geminiNameOf(call.name), args };
}

/** An id goes back only where this provider gave one: Gemini 2 knows none. */
function idOf(call: ToolUseBlock, message: AssistantMessage, audience: GeminiAudience): { readonly id?: string } {
  return call.wireId !== null && message.provider === audience.provider ? { id: call.id } : {};
}

/** Beyond what all servers ask of a name, this one wants a letter or _ in front. Source: wonderwhy-er/DesktopCommanderMCP#79 */
function geminiNameOf(name: string): string {
  const safe = wireNameOf(name);
  return /^[a-zA-Z_]/.test(safe) ? safe : `_${safe}`.slice(0, 64);
}

/** The parts of a user message: every result first, then the pictures that belong to results, then what was said. */
export function userParts(message: UserMessage, asked: AssistantMessage | null, audience: GeminiAudience): Part[] {
  const results = message.content.filter((block) => block.type === 'tool_result');
  const others = message.content.filter((block) => block.type !== 'tool_result');
  const takesImages = takesImagesInResults(audience);
  const images = takesImages ? [] : results.flatMap((result) => imagesOf(result));
  return [
    ...results.map((result) => resultPart(result, asked, { ...audience, takesImages })),
    ...[...images, ...others].flatMap((block) => contentParts(block, audience)),
  ];
}

/** Gemini 3 takes pictures inside a result; older ones do not. Source: earendil-works/pi */
function takesImagesInResults({ model, seesImages }: GeminiAudience): boolean {
  return seesImages && /gemini-[3-9]/.test(model);
}

interface ResultAudience extends GeminiAudience {
  readonly takesImages: boolean;
}

function resultPart(result: ToolResultBlock, asked: AssistantMessage | null, audience: ResultAudience): Part {
  const call = asked === null ? undefined : toolUsesOf(asked).find(({ id }) => id === result.toolUseId);
  const images = audience.takesImages ? imagesOf(result).flatMap((image) => contentParts(image, audience)) : [];
  return {
    functionResponse: {
      ...(call === undefined || asked === null ? {} : idOf(call, asked, audience)),
      name: geminiNameOf(call?.name ?? ''),
      response: { [result.isError ? 'error' : 'output']: textOf(result.content) },
      ...(images.length === 0 ? {} : { parts: images }),
    },
  };
}

function imagesOf({ content }: ToolResultBlock): ImageBlock[] {
  return content.filter((block) => block.type === 'image');
}

const UNSEEN_IMAGE = '[An image, which this model cannot see.]';

function contentParts(block: TextBlock | ImageBlock, { seesImages }: GeminiAudience): Part[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [{ text: block.text }];
  return seesImages ? [{ inlineData: { mimeType: block.mediaType, data: block.data } }] : [{ text: UNSEEN_IMAGE }];
}

/** What only the model that made it can read, for that model. */
function ownData(replay: ReplayToken | undefined, audience: GeminiAudience): Part | null {
  if (replay?.provider !== audience.provider || replay.model !== audience.model || !isJsonObject(replay.data)) return null;
  return replay.data;
}
