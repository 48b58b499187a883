/** The words of an identifier in lower case: `maxRetryCount`, `max_retry_count` and `max-retry.count` are max, retry, count. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Whether a word looks like a name in code rather than a word of a language: camelCase, snake_case, CAPITALS, or a call `f()`. */
export function looksLikeCode(word: string): boolean {
  if (ACRONYMS.has(word)) return false;
  return /^[$_]?[a-z]+[a-z0-9]*[A-Z]|^[A-Z][a-z0-9]+[A-Z]\w*$|\w_\w|^_\w|\w\(\)$|^\$\w|^[A-Z]{3,}s?$|::|^#\w|\w\.\w/.test(word);
}

const ACRONYMS = new Set(
  'JSON YAML TOML HTML CSS XML CSV SQL API CLI URL URI SDK PHP AI LLM TS JS README LICENSE MIT HTTP HTTPS PDF PNG SVG IDE NPM GIT AND NOT ALL THE JavaScript TypeScript GitHub'.split(
    ' ',
  ),
);
