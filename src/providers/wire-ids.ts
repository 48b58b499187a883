import { shortHash } from '../core/hash.ts';
import { type Message, type ToolUseBlock, toolUsesOf } from '../core/message.ts';

/** Which ids of tool calls a server takes. */
export type CallIdRule = 'openai' | 'mistral' | 'kimi';

/** Whom a request goes to: `id` is the provider's. */
export interface WireTarget {
  readonly id: string;
  readonly model: string;
}

// Sources: vercel/ai#5171 (OpenAI), anomalyco/opencode#1680 (Mistral), vybestack/llxprt-code#713 (Kimi)
const PATTERNS: Record<CallIdRule, RegExp> = {
  openai: /^[a-zA-Z0-9_-]{1,40}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
  kimi: /^functions\.[a-zA-Z0-9_-]{1,64}:\d+$/,
};

/** Tells whether a server with this rule takes an id. */
export function fitsRule(id: string, rule: CallIdRule): boolean {
  return PATTERNS[rule].test(id);
}

/**
 * The wire id of each call of a request, by our own id: that one where it fits, else one made from it.
 * Pure, without two of the same, and a longer conversation keeps the ids of the shorter one, so that prompt caches hold.
 */
export function wireIdsOf(messages: readonly Message[], rule: CallIdRule, target: WireTarget): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const isOwn = message.provider === target.id && message.model === target.model;
    for (const call of toolUsesOf(message)) {
      const id = firstUnused(rule === 'kimi' ? kimiIds(call, isOwn, ids.size) : hashIds(call, rule), used);
      used.add(id);
      ids.set(call.id, id);
    }
  }
  return ids;
}

function firstUnused(candidates: Iterable<string>, used: ReadonlySet<string>): string {
  for (const id of candidates) if (!used.has(id)) return id;
  throw new Error('the candidates do not end');
}

/** Not cut but hashed: ids of one provider share their first characters. */
function* hashIds({ id }: ToolUseBlock, rule: CallIdRule): Generator<string> {
  if (fitsRule(id, rule)) yield id;
  for (let n = 0; ; n++) yield base62Hash(n === 0 ? id : `${id}#${n}`);
}

/** Kimi falls out of calling tools where ids are not of the form that it writes itself, counted through the conversation. */
function* kimiIds({ wireId, name }: ToolUseBlock, isOwn: boolean, callsBefore: number): Generator<string> {
  if (isOwn && wireId !== null && fitsRule(wireId, 'kimi')) yield wireId;
  for (let n = callsBefore; ; n++) yield `functions.${wireNameOf(name)}:${n}`;
}

/** A call's own id where a server takes any of up to 64 safe characters (Anthropic, Responses); else one made from it: cut ones collide. Source: earendil-works/pi#1022 */
export function safeCallId(id: string): string {
  return SAFE.test(id) ? id : `call_${shortHash(id)}`;
}
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool's name as every server takes it; models make up others. */
export function wireNameOf(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HASH_LENGTH = 9;

function base62Hash(text: string): string {
  let rest = BigInt(`0x${shortHash(text)}`);
  let id = '';
  for (; id.length < HASH_LENGTH; rest /= 62n) id += BASE62.charAt(Number(rest % 62n));
  return id;
}
