import type { Span, StyleName } from '../../text/span.ts';
import type { Grammar, Piece } from './grammar.ts';
import { languageNamed, loadGrammar } from './languages.ts';

/** The lines above that the next line may still belong to: an open comment or string. */
export type CodeContext = readonly string[];

const PLAIN: readonly StyleName[] = ['codeBlock'];
/** A long comment or string is carried by its first line and the last ones, so that no line costs more than a few. */
const MAX_CONTEXT = 9;
/** Longer lines are made by machines, and are not coloured. */
const MAX_LINE = 1000;

// What was loaded stays loaded. Nothing else is kept between calls; null is on its way or cannot be had.
const grammars = new Map<string, Grammar | null>();

/** Asks for the grammar of a language, so that it is there soon. Resolves when it is, or when there is none. */
export async function prepareLanguage(info: string): Promise<void> {
  const name = languageNamed(info);
  if (name === null || grammars.has(name)) return;
  grammars.set(name, null);
  const [{ createGrammar }, language] = await Promise.all([import('./grammar.ts'), loadGrammar(name)]);
  grammars.set(name, createGrammar(name, language));
}

/** One line of code in its colours; plain while its grammar is not there. */
export function highlightLine(
  line: string,
  info: string,
  context: CodeContext,
): { readonly spans: readonly Span[]; readonly context: CodeContext } {
  const grammar = grammars.get(languageNamed(info) ?? '') ?? null;
  if (grammar === null || line.length > MAX_LINE) return { spans: [{ text: line, styles: PLAIN }], context: [] };
  const above = context.map((each) => `${each}\n`).join('');
  const pieces = grammar(`${above}${line}\n`);
  const isDone = pieces.at(-1)?.isOutside ?? true;
  return { spans: spansBehind(pieces, above.length), context: isDone ? [] : shortened([...context, line]) };
}

function shortened(context: CodeContext): CodeContext {
  return context.length <= MAX_CONTEXT ? context : [...context.slice(0, 1), ...context.slice(2 - MAX_CONTEXT)];
}

/** The pieces behind a place, without the line feed at the end. */
function spansBehind(pieces: readonly Piece[], start: number): readonly Span[] {
  const spans: Span[] = [];
  let position = 0;
  for (const { text, style } of pieces) {
    const shown = text.slice(Math.max(0, start - position)).replaceAll('\n', '');
    if (shown !== '') spans.push({ text: shown, styles: style === null ? PLAIN : [style] });
    position += text.length;
  }
  return spans;
}
