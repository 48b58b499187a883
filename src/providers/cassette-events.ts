import type { ModelEvent } from '../core/model.ts';
import { maskSecrets, maskSecretsIn } from '../host/http/secrets.ts';
import { chunkBytes, type TimedBytes } from './cassette-chunks.ts';

export interface HeardEvent {
  readonly atMs: number;
  readonly event: ModelEvent;
}

/** Events with all deltas of a block made one, also where those of another block came in between. */
export function gatheredEvents(heard: readonly HeardEvent[]): readonly HeardEvent[] {
  const gathered: HeardEvent[] = [];
  const places = new Map<string, number>();
  for (const next of heard) {
    const block = blockOf(next.event);
    const place = block === null ? undefined : places.get(block);
    const before = place === undefined ? undefined : gathered[place];
    if (place !== undefined && before !== undefined)
      gathered[place] = { atMs: next.atMs, event: joined(before.event, next.event) };
    else {
      if (block !== null) places.set(block, gathered.length);
      gathered.push(next);
    }
  }
  return gathered;
}

/** True where a model said a secret that no chunk shows as one piece. */
export function leakedSecrets(events: readonly HeardEvent[], secrets: readonly string[], chunks: readonly TimedBytes[]): boolean {
  const whole = JSON.stringify(events.map(({ event }) => event));
  const said = [whole, saidOf(events, 'text'), saidOf(events, 'thinking'), saidOf(events, 'input')];
  const bytes = Buffer.concat(chunkBytes(chunks));
  return secrets.some((secret) => said.some((text) => text.includes(secret)) && !bytes.includes(secret));
}

/** Events of which no two blocks hold a secret together: where they do, their words are left out. */
export function withoutSpread(events: readonly HeardEvent[], secrets: readonly string[]): readonly HeardEvent[] {
  const masked = maskSecretsIn(events, secrets);
  const kinds = (['text', 'thinking', 'input'] as const).filter((kind) => holdsAny(saidOf(masked, kind), secrets));
  return masked.map(({ atMs, event }) => ({
    atMs,
    event: kinds.some((kind) => kindOf(event) === kind) ? emptied(event) : event,
  }));
}

function holdsAny(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret));
}

type Kind = 'text' | 'thinking' | 'input';

function saidOf(events: readonly HeardEvent[], kind: Kind): string {
  return events.map(({ event }) => (kindOf(event) === kind ? wordsOf(event) : '')).join('');
}

function kindOf({ type }: ModelEvent): Kind | null {
  if (type === 'text_delta') return 'text';
  if (type === 'thinking_delta') return 'thinking';
  return type === 'tool_input_delta' ? 'input' : null;
}

function wordsOf(event: ModelEvent): string {
  if (event.type === 'tool_input_delta') return event.json;
  return event.type === 'text_delta' || event.type === 'thinking_delta' ? event.text : '';
}

const EMPTY = maskSecrets('secret-value', ['secret-value']);

function emptied(event: ModelEvent): ModelEvent {
  if (event.type === 'tool_input_delta') return { ...event, json: '{}' };
  return event.type === 'text_delta' || event.type === 'thinking_delta' ? { ...event, text: EMPTY } : event;
}

function blockOf(event: ModelEvent): string | null {
  return kindOf(event) !== null && 'index' in event ? `${event.type} ${event.index}` : null;
}

function joined(a: ModelEvent, b: ModelEvent): ModelEvent {
  if (a.type === 'tool_input_delta' && b.type === 'tool_input_delta') return { ...b, json: a.json + b.json };
  const words = wordsOf(a) + wordsOf(b);
  return b.type === 'text_delta' || b.type === 'thinking_delta' ? { ...b, text: words } : b;
}
