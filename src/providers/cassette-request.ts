import { shortHash } from '../core/hash.ts';
import type { ModelRequest } from '../core/model.ts';
import { mapTexts, type Place, steadyText, withoutPlaces } from '../core/steady-text.ts';
import { withoutSecrets } from '../host/http/secrets.ts';
import type { PartLine, RequestLine } from './cassette.ts';

/** What is left of texts so that a request is the same on another day and machine. */
export interface RequestFacts {
  readonly places: readonly Place[];
  readonly secrets: readonly string[];
}

/** A request as a cassette knows it: model, tools and messages, without the system prompt, which tells folder and date. */
export interface NormalRequest {
  readonly line: Omit<RequestLine, 'n' | 'type'>;
  readonly parts: readonly PartLine[];
}

/** The same request gives the same key on any machine. */
export function normalRequest({ model, tools, messages }: ModelRequest, facts: RequestFacts): NormalRequest {
  const toolsPart = partOf(tools, facts);
  const messageParts = messages.map((message) => partOf(message, facts));
  const hashes = messageParts.map(({ hash }) => hash);
  const key = shortHash(JSON.stringify([model, toolsPart.hash, hashes]));
  return { line: { key, model, tools: toolsPart.hash, messages: hashes }, parts: [toolsPart, ...messageParts] };
}

function partOf(value: unknown, { places, secrets }: RequestFacts): PartLine {
  const normal = mapTexts(withoutSecrets(value, secrets), (text) => steadyText(withoutPlaces(text, places)).text);
  return { type: 'part', hash: shortHash(JSON.stringify(normal)), value: normal };
}
