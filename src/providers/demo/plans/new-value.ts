import type { Entry } from '../reading/entry.ts';

/** A new value written as its file writes values: quoted where the old one was, or where JSON would not take it bare. */
export function newValueFor(entry: Entry, to: string, path: string): string {
  const quote = /^["'`]/.exec(entry.raw)?.[0];
  const isQuoted = /^(["'`]).*\1$/s.test(to);
  if (isQuoted) return to;
  if (quote !== undefined) return quote === '"' ? JSON.stringify(to) : `${quote}${to}${quote}`;
  const isBare = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$|^(?:true|false|null)$/.test(to);
  return /\.json[c5]?$/.test(path) && !isBare ? JSON.stringify(to) : to;
}
