import { Lexer, Marked, type Token } from 'marked';
import markedCjkFriendly from 'marked-cjk-friendly';
import { displayText } from '../../core/display-text.ts';
import type { Span, StyleName } from '../text/span.ts';
import type { Theme } from '../theme.ts';

/** Text with more signs than that in one piece is no prose; reading it could take the square of its length. */
const MAX_SIGNS = 160;
const NO_STYLES: readonly StyleName[] = [];
const FOLLOWED = /^(?:https?|mailto):/i;
// A line end between two of these is no space: their scripts write none.
const CJK = '\\u2e80-\\u312f\\u3190-\\ua4cf\\uf900-\\ufaff\\uff00-\\uffef';
const CJK_LINE_END = new RegExp(`(?<=[${CJK}])\\n(?=[${CJK}])`, 'g');

const { defaults } = new Marked(markedCjkFriendly());

/** A piece of a paragraph as spans. Each line feed in them is a hard break. */
export function readInline(source: string, theme: Theme): readonly Span[] {
  if (!/[*_~`[\\<&!\n]|https?:|www\.|@/i.test(source)) return [span(source, NO_STYLES)];
  return spansOf(inlineTokens(source), NO_STYLES, theme);
}

/** The tokens of a piece of a paragraph; a single one of text where it is no prose. */
export function inlineTokens(source: string): readonly Token[] {
  const signs = source.match(/[*_~`[\]<\\!&]/g)?.length ?? 0;
  if (signs > MAX_SIGNS) return [{ type: 'text', raw: source, text: source, escaped: false }];
  return new Lexer({ ...defaults }).inlineTokens(source);
}

function spansOf(tokens: readonly Token[], styles: readonly StyleName[], theme: Theme): readonly Span[] {
  return tokens.flatMap((token) => spansOfToken(token, styles, theme));
}

function spansOfToken(token: Token, styles: readonly StyleName[], theme: Theme): readonly Span[] {
  switch (token.type) {
    case 'strong':
      return spansOf(token.tokens ?? [], [...styles, 'bold'], theme);
    case 'em':
      return spansOf(token.tokens ?? [], [...styles, 'italic'], theme);
    case 'del':
      return spansOf(token.tokens ?? [], [...styles, 'strike'], theme);
    case 'codespan':
      return [codeSpan(textOf(token), styles, theme)];
    case 'br':
      return [BREAK];
    case 'link':
      return linkSpans(token, spansOf(token.tokens ?? [], [...styles, 'link'], theme), theme);
    case 'image':
      return linkSpans(token, [span(`image: ${textOf(token)}`, [...styles, 'link'])], theme);
    case 'html':
      return [/^<br\s*\/?>$/i.test(token.raw) ? BREAK : span(token.raw, styles)];
    case 'text':
      return [span(withoutEntities(textOf(token)), styles)];
    default:
      return [span(textOf(token), styles)];
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const BREAK: Span = { text: '\n', styles: NO_STYLES };

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

/** The entities that models write; marked reads the numbered ones. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** Without colours the marks of code stay, so that it still stands out. */
function codeSpan(text: string, styles: readonly StyleName[], theme: Theme): Span {
  return span(theme.code[0] === '' ? `\`${text}\`` : text, [...styles, 'code']);
}

/** A link that the terminal follows, or its text with the address behind it. */
function linkSpans(token: Token, label: readonly Span[], theme: Theme): readonly Span[] {
  const address = 'href' in token ? String(token.href) : '';
  if (theme.hasLinks && FOLLOWED.test(address)) return label.map((part) => ({ ...part, href: safeAddress(address) }));
  const text = label.map((part) => part.text).join('');
  const isSame = [text, `mailto:${text}`, `http://${text}`].includes(address);
  return address === '' || isSame ? label : [...label, span(` (${address})`, NO_STYLES)];
}

/** Nothing in an address may end the sequence that carries it. */
function safeAddress(address: string): string {
  return address.toWellFormed().replaceAll(/[^\u0021-\u007e]/gu, encodeURIComponent);
}

// What an entity such as `&#27;` stands for was no control character yet when the source was made safe.
function span(text: string, styles: readonly StyleName[]): Span {
  const line = text.replaceAll(CJK_LINE_END, '').replaceAll(/[\n\t]/g, ' ');
  return { text: displayText(line), styles };
}
