import { readFileSync } from 'node:fs';

/** The style of a page, as text. In the bundle it stands in place of the call that reads it: build/inline-files.ts. */
export function pageStyle(): string {
  return readFileSync(new URL('./report.css', import.meta.url), 'utf8');
}
