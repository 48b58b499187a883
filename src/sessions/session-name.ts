import { noteOfRecord, parseRecord } from './session-record.ts';

const NAMED = '\n{"type":"session_named"';

/** The name that the text of a session gives it last, or null. */
export function nameIn(text: string): string | null {
  // From the end: a session is long, and has few names. What a message quotes is escaped and not found.
  for (let at = text.lastIndexOf(NAMED); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(NAMED, at - 1)) {
    const note = noteOfRecord(parseRecord(text.slice(at + 1).split('\n', 1)[0] ?? ''));
    if (note?.type === 'session_named') return note.name;
  }
  return null;
}
