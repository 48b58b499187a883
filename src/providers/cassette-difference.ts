import { firstDifference } from '../core/first-difference.ts';
import { isJsonObject } from '../core/json-value.ts';
import type { Cassette, RecordedRequest } from './cassette.ts';
import type { NormalRequest } from './cassette-request.ts';

/** Why a cassette has no answer to a request: where it differs from the nearest one that was recorded. */
export function describeUnknown(cassette: Cassette, asked: NormalRequest): string {
  const { path, requests } = cassette;
  const nearest = nearestOf(requests, asked);
  if (nearest === null) return `${path} holds no request, so it has no answer to this one.`;
  const { recorded } = nearest;
  const place = `request ${requests.indexOf(recorded) + 1} of ${requests.length} (line ${recorded.line})`;
  if (recorded.request.key === asked.line.key) {
    const count = requests.filter(({ request }) => request.key === asked.line.key).length;
    return `${path} holds this request ${count} ${count === 1 ? 'time' : 'times'} with an answer or without one, and it was asked once more (${place}).`;
  }
  return `${path} has no answer to this request. The nearest recorded one is ${place}. They differ in ${differenceOf(cassette, recorded, asked)}`;
}

/** The one that has most messages in common from the start; of several, the one whose length is nearest. */
function nearestOf(requests: readonly RecordedRequest[], { line }: NormalRequest): { readonly recorded: RecordedRequest } | null {
  const rated = requests.map((recorded) => ({
    recorded,
    isSame: Number(recorded.request.key === line.key),
    common: commonStart(recorded.request.messages, line.messages),
    apart: Math.abs(recorded.request.messages.length - line.messages.length),
  }));
  return rated.toSorted((a, b) => b.isSame - a.isSame || b.common - a.common || a.apart - b.apart)[0] ?? null;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((hash, i) => hash !== b[i]);
  return end === -1 ? a.length : end;
}

function differenceOf({ parts }: Cassette, { request }: RecordedRequest, { line, parts: asked }: NormalRequest): string {
  if (request.model !== line.model) return `the model: ${bothTexts(request.model, line.model)}`;
  const now = new Map(asked.map(({ hash, value }) => [hash, value]));
  if (request.tools !== line.tools) return toolsDifference(parts.get(request.tools), now.get(line.tools));
  const at = commonStart(request.messages, line.messages);
  const [then, present] = [request.messages[at], line.messages[at]];
  const where = `message ${at + 1}`;
  if (then === undefined)
    return `their length: it has ${request.messages.length} messages, and this one goes on with ${briefly(now.get(present ?? ''))}`;
  if (present === undefined) return `their length: this one ends before ${where}, ${briefly(parts.get(then))}`;
  return valueDifference(where, parts.get(then), now.get(present));
}

function toolsDifference(then: unknown, now: unknown): string {
  const [recorded, present] = [byName(then), byName(now)];
  const gone = [...recorded.keys()].filter((name) => !present.has(name));
  const added = [...present.keys()].filter((name) => !recorded.has(name));
  if (gone.length + added.length > 0)
    return `the tools:${gone.length === 0 ? '' : ` not offered now: ${gone.join(', ')}.`}${added.length === 0 ? '' : ` offered now only: ${added.join(', ')}.`}`;
  const changed = [...recorded].find(([name, tool]) => JSON.stringify(tool) !== JSON.stringify(present.get(name)));
  if (changed === undefined) return 'the order of the tools.';
  return valueDifference(`the tool ${changed[0]}`, changed[1], present.get(changed[0]));
}

function byName(tools: unknown): ReadonlyMap<string, unknown> {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return new Map(list.map((tool, i) => [isJsonObject(tool) ? String(tool['name']) : String(i), tool]));
}

/** The first field in which two values differ, and both texts there. */
function valueDifference(where: string, then: unknown, now: unknown): string {
  const field = firstField(then, now);
  const role = isJsonObject(now) && typeof now['role'] === 'string' ? ` (${now['role']})` : '';
  const path = field.path.length === 0 ? '' : `, ${field.path.join('/')}`;
  return `${where}${role}${path}: ${bothTexts(field.recorded, field.now)}`;
}

interface Field {
  readonly path: readonly string[];
  readonly recorded: unknown;
  readonly now: unknown;
}

function firstField(recorded: unknown, now: unknown): Field {
  if (!isContainer(recorded) || !isContainer(now)) return { path: [], recorded, now };
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
    const [a, b] = [recorded[key], now[key]];
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    const inner = firstField(a, b);
    return { ...inner, path: [key, ...inner.path] };
  }
  return { path: [], recorded, now };
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function bothTexts(then: unknown, now: unknown): string {
  const { line, expected, actual } = firstDifference(textOf(then), textOf(now));
  return `${line > 1 ? `in line ${line} ` : ''}recorded was ${expected}, now it is ${actual}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '(nothing)' : JSON.stringify(value);
}

function briefly(value: unknown): string {
  return firstDifference(textOf(value), '').expected;
}
