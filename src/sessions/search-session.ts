import type { JsonObject } from '../core/json-value.ts';
import type { Message } from '../core/message.ts';
import { conversationOf, turnNumbers } from './conversation.ts';
import { messageOfRecord } from './session-record.ts';
import { inheritedLines } from './session-state.ts';

/** Where a text stands in a session. */
export interface SearchHit {
  readonly turn: number;
  readonly by: 'prompt' | 'answer';
  /** The text with what is around it, in one line. */
  readonly excerpt: string;
  /** True where a rewind took it out of the conversation. */
  readonly isRewound: boolean;
}

const CHARS_BEFORE = 40;
const CHARS_AFTER = 80;

/**
 * Where prompts and answers of a session hold a text, in order; the case of letters does not matter. One hit a message.
 * With `ownOnly` what a fork has from its parent is left out.
 */
export function searchSession(
  records: readonly (JsonObject | null)[],
  text: string,
  { ownOnly }: { readonly ownOnly: boolean },
): readonly SearchHit[] {
  const pattern = new RegExp(text.trim().split(/\s+/).map(escaped).join('\\s+'), 'iu');
  const holding = new Set(conversationOf(records).records);
  const turns = turnNumbers(records);
  const first = ownOnly ? inheritedLines(records[0] ?? null) : 0;
  return records.flatMap((record, i) => {
    const message = i < first ? null : messageOfRecord(record);
    const excerpt = message === null ? null : excerptOf(message, pattern);
    if (record === null || message === null || excerpt === null) return [];
    const by = message.role === 'user' ? 'prompt' : 'answer';
    return [{ turn: turns[i] ?? 0, by, excerpt, isRewound: !holding.has(record) }];
  });
}

/** Results of tools are not searched: they are what files and programs say. */
function excerptOf({ content }: Message, pattern: RegExp): string | null {
  for (const block of content) {
    const found = block.type === 'text' ? pattern.exec(block.text) : null;
    if (block.type === 'text' && found !== null) return around(block.text, found.index, found[0].length);
  }
  return null;
}

function around(text: string, at: number, length: number): string {
  const from = Math.max(0, at - CHARS_BEFORE);
  const to = Math.min(text.length, at + length + CHARS_AFTER);
  const cut = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
}

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ''}}`);
}
