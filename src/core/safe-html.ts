import { displayText } from './display-text.ts';

/** Markup that is ours. Only `html` and `trustedHtml` make it. */
export interface SafeHtml {
  readonly markup: string;
}

type Part = string | number | SafeHtml | readonly SafeHtml[] | null;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Markup with values in it. Every text is escaped here and nowhere else, so none can be forgotten: it can neither be markup, nor end an
 * attribute in quotes, nor turn the direction of what stands around it. Attributes must stand in double quotes.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml {
  return { markup: strings.reduce((markup, string, i) => `${markup}${markupOf(parts[i - 1] ?? null)}${string}`) };
}

/** Takes text for markup as it is: our own style and script, and nothing of a session. */
export function trustedHtml(markup: string): SafeHtml {
  return { markup };
}

function markupOf(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escapeText(text: string): string {
  return displayText(text.replaceAll('\r\n', '\n')).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
