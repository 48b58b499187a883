import type { Key } from './key.ts';
import { KeyParser } from './parse-keys.ts';

/** A terminal sends the rest of a sequence at once; an escape that stands alone so long is the key. */
const ESCAPE_MS = 40;

/** Gives keys, and what the terminal tells of itself, to the listener as they become certain. Returns what takes the terminal's data. */
export function createKeyReader(onKey: (key: Key) => void, onReport: (report: string) => void): (data: string) => void {
  const parser = new KeyParser();
  let timer: ReturnType<typeof setTimeout> | null = null;
  return (data) => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const key of parser.feed(data)) onKey(key);
    for (const report of parser.takeReports()) onReport(report);
    if (!parser.isWaiting) return;
    timer = setTimeout(() => {
      for (const key of parser.flush()) onKey(key);
    }, ESCAPE_MS);
  };
}
