/** Values of variables that are exactly known at a place in a command. */
export type Variables = ReadonlyMap<string, string>;

const INERT_FOR_PROGRAMS = new Set(['LANG', 'LANGUAGE', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'COLUMNS', 'LINES', 'TERM']);
const ACTIVE_LOWER_CASE = /(?:_proxy|^histchars|^auto_resume)$/;

/** True where a program that is handed this variable does the same work, in other words or colours at most. */
export function isInertForPrograms(name: string): boolean {
  return INERT_FOR_PROGRAMS.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** True where neither bash nor a program gives the variable a meaning. Programs and bash itself use names of capital letters. */
export function isInertInShell(name: string): boolean {
  return /^(?:[a-z_][a-z0-9_]*|[A-Z])$/.test(name) && name !== '_' && !ACTIVE_LOWER_CASE.test(name);
}
