/**
 * Splits a command as it stands in a rule into words: blanks part them, quotes and backslashes keep what they hold together.
 * Nothing is expanded: a rule is data. Null where a quote does not close.
 */
export function commandWords(text: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === quote) quote = null;
    else if (quote === "'") word += character;
    else if (character === '\\' && isEscape(text[at + 1], quote)) word = (word ?? '') + (text[++at] ?? '');
    else if (quote === '"') word += character;
    else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

/** Words as a rule or a person would write them: quoted only where it is needed. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/** Between double quotes a backslash takes away the meaning of few characters, and stands for itself before others. */
function isEscape(next: string | undefined, quote: '"' | "'" | null): boolean {
  return next !== undefined && (quote === null || '"\\$`'.includes(next));
}
