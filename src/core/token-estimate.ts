import type { Message } from './message.ts';

// What no text says, in tokens. Sources: recorded streams (a call without arguments is billed at 12 to 41); images as the vendors' documents
// count one of about a million pixels.
const CALL_TOKENS = 15;
const IMAGE_TOKENS = 1500;

// Tokens a character. ASCII words are cut about every four characters, marks about every two; CJK is about a token a character; what else
// there is (Cyrillic, Greek, accents, emoji in two halves) about one for two.
const WORD = 1 / 4;
const MARK = 1 / 2;
const CJK = 1;
const OTHER = 1 / 2;

const ASCII_WEIGHTS = Array.from({ length: 128 }, (_, code) => (/[\w ]/.test(String.fromCharCode(code)) ? WORD : MARK));

/** About how many tokens a text is, by its scripts alone. An estimate: no tokenizer is asked. docs/sessions.md has its measured error. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    tokens += code < 128 ? (ASCII_WEIGHTS[code] ?? MARK) : isCjk(code) ? CJK : OTHER;
  }
  return Math.ceil(tokens);
}

/** About how many tokens a content block is. What only its maker can read counts by its bytes. */
export function estimateBlockTokens(block: Message['content'][number]): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return estimateTokens(block.text) + (block.replay === undefined ? 0 : estimateTokens(JSON.stringify(block.replay.data)));
    case 'image':
      return IMAGE_TOKENS;
    case 'opaque':
      return estimateTokens(JSON.stringify(block.replay.data));
    case 'tool_use':
      return CALL_TOKENS + estimateTokens(block.name) + estimateTokens(block.malformedInput ?? JSON.stringify(block.input ?? {}));
    case 'tool_result':
      return block.content.reduce((sum, part) => sum + estimateBlockTokens(part), 0);
  }
}

/** About how many tokens a message is. */
export function estimateMessageTokens({ content }: Message): number {
  return content.reduce((sum: number, block) => sum + estimateBlockTokens(block), 0);
}

/** Kana, ideographs, Hangul, and the full-width forms beside them; the upper planes come as surrogates and count as other text. */
function isCjk(code: number): boolean {
  return (
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    code >= 0xff00
  );
}
