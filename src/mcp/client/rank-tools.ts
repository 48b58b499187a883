import type { Tool } from '../../core/tool.ts';

const IN_NAME = 4;
const IN_DESCRIPTION = 1;
/** Of a word of which only the beginning fits: `issues` and `issue`. */
const PARTLY = 0.5;
const MIN_STEM_CHARS = 4;

/** The tools that have something of a query in name or description, the best first; equals stay in their order. */
export function rankTools(tools: readonly Tool[], query: string): readonly Tool[] {
  const named = tools.filter(({ name }) => query.split(/[\s,]+/).includes(name));
  if (named.length > 0) return named;
  const words = wordsOf(query).filter((word) => !/^[a-z]{1,2}$/.test(word));
  const ranked = tools.map((tool) => ({ tool, score: scoreOf(tool, words) })).filter(({ score }) => score > 0);
  return ranked.toSorted((a, b) => b.score - a.score).map(({ tool }) => tool);
}

function scoreOf({ name, description }: Tool, words: readonly string[]): number {
  const [inName, inDescription] = [wordsOf(name), wordsOf(description)];
  return words.reduce((sum, word) => sum + IN_NAME * fitOf(word, inName) + IN_DESCRIPTION * fitOf(word, inDescription), 0);
}

/** 1 for the word itself, less for one that begins alike, 0 for none. */
function fitOf(word: string, among: readonly string[]): number {
  if (among.includes(word)) return 1;
  if (word.length < MIN_STEM_CHARS) return 0;
  return among.some((other) => other.length >= MIN_STEM_CHARS && (other.startsWith(word) || word.startsWith(other))) ? PARTLY : 0;
}

/** `createIssue`, `create_issue` and `create issue` are the same words. */
function wordsOf(text: string): readonly string[] {
  const parted = text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase();
  return [...new Set(parted.match(/[\p{L}\p{N}]+/gu) ?? [])];
}
