/** A search through what was typed before, newest first. `match` is an index into the history, or null for none. */
export interface HistorySearch {
  readonly query: string;
  readonly match: number | null;
}

export const EMPTY_SEARCH: HistorySearch = { query: '', match: null };

/** Looks from the newest on, or before a place in the history. */
export function searchHistory(history: readonly string[], query: string, before = history.length): HistorySearch {
  if (query === '') return EMPTY_SEARCH;
  const wanted = query.toLowerCase();
  const match = history.slice(0, before).findLastIndex((text) => text.toLowerCase().includes(wanted));
  return { query, match: match === -1 ? null : match };
}

/** The next older one; it stays where there is none. */
export function searchOlder(history: readonly string[], search: HistorySearch): HistorySearch {
  if (search.match === null) return search;
  const older = searchHistory(history, search.query, search.match);
  return older.match === null ? search : older;
}
