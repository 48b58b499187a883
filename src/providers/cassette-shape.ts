import { isUsage } from '../core/accounting.ts';
import { hasTexts, isCount, isJsonObject, type JsonObject } from '../core/json-value.ts';
import { WIRE_FORMATS } from './vendors.ts';

type Check = (line: JsonObject) => boolean;

/** Whether a line of a cassette is whole. Somebody else may have written it, and whoever plays it takes its shape as given. */
export function isCassetteLine(line: JsonObject): boolean {
  const { type } = line;
  return typeof type === 'string' && Object.hasOwn(LINES, type) && LINES[type]?.(line) === true;
}

/** Whether the first line of a cassette tells all that a player needs. */
export function isCassetteHeader({ model, provider, endpoint, places, facts }: JsonObject): boolean {
  return (
    typeof model === 'string' &&
    isJsonObject(provider) &&
    hasTexts(provider, 'id') &&
    [provider['marksCallEnd'], provider['seesImages']].every((value) => typeof value === 'boolean') &&
    Array.isArray(places) &&
    places.every((place) => isJsonObject(place) && hasTexts(place, 'name', 'path')) &&
    (facts === undefined || isJsonObject(facts)) &&
    (endpoint === null || (isJsonObject(endpoint) && isEndpoint(endpoint)))
  );
}

const LINES: Readonly<Record<string, Check>> = {
  part: (line) => hasTexts(line, 'hash'),
  request: (line) => isCount(line['n']) && hasTexts(line, 'key', 'model', 'tools') && isTexts(line['messages']),
  answer: (line) =>
    isTimed(line) && isStatus(line['status']) && isJsonObject(line['headers']) && isTexts(Object.values(line['headers'])),
  unanswered: (line) => isTimed(line) && hasTexts(line, 'message') && isTextOrNull(line['code']),
  chunk: (line) =>
    isTimed(line) && [line['text'], line['base64']].every((value) => value === undefined || typeof value === 'string'),
  end: (line) => isTimed(line) && isJsonObject(line['end']) && isEnd(line['end']),
  event: (line) => isTimed(line) && isJsonObject(line['event']) && isEvent(line['event']),
};

const EVENTS: Readonly<Record<string, Check>> = {
  message_start: (event) => hasTexts(event, 'model'),
  tool_unusable: (event) => hasTexts(event, 'name', 'problem'),
  text_delta: (event) => isCount(event['index']) && hasTexts(event, 'text'),
  thinking_delta: (event) => isCount(event['index']) && hasTexts(event, 'text'),
  tool_use_start: (event) => isCount(event['index']) && hasTexts(event, 'name') && isTextOrNull(event['wireId']),
  tool_input_delta: (event) => isCount(event['index']) && hasTexts(event, 'json'),
  tool_use: (event) => isCount(event['index']) && hasTexts(event, 'name'),
  block_end: (event) => isCount(event['index']),
  opaque_block: (event) => isCount(event['index']) && isJsonObject(event['replay']),
  message_end: (event) =>
    (event['state'] === 'complete' || event['state'] === 'cut') &&
    hasTexts(event, 'stopReason', 'rawStop') &&
    isUsage(event['usage']),
  message_failed: (event) =>
    isJsonObject(event['error']) &&
    hasTexts(event['error'], 'kind', 'message') &&
    typeof event['retryable'] === 'boolean' &&
    (event['usage'] === undefined || isUsage(event['usage'])),
};

function isEvent(event: JsonObject): boolean {
  const { type } = event;
  return typeof type === 'string' && Object.hasOwn(EVENTS, type) && EVENTS[type]?.(event) === true;
}

function isEnd(end: JsonObject): boolean {
  if (end['how'] === 'broke') return hasTexts(end, 'message') && isTextOrNull(end['code']);
  return end['how'] === 'ended' || end['how'] === 'left' || end['how'] === 'aborted';
}

function isEndpoint(endpoint: JsonObject): boolean {
  const { baseUrl, quirks, format } = endpoint;
  if (!hasTexts(endpoint, 'id', 'baseUrl') || !URL.canParse(String(baseUrl))) return false;
  return WIRE_FORMATS.some((known) => known === format) && (quirks === undefined || isJsonObject(quirks));
}

function isTimed({ n, atMs }: JsonObject): boolean {
  return isCount(n) && isCount(atMs);
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
