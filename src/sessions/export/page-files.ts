import { readFileSync } from 'node:fs';

/** The style and the script of a page, as text. In the bundle they stand in place of the calls that read them: build/inline-files.ts. */
export function pageFiles(): { readonly style: string; readonly script: string } {
  return {
    style: [
      readFileSync(new URL('./page/colours.css', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/layout.css', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/timeline.css', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/transcript.css', import.meta.url), 'utf8'),
    ].join('\n'),
    // One scope for all, so that they share nothing with anybody else.
    script: `(() => {\n'use strict';\n${[
      readFileSync(new URL('./page/theme.js', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/folding.js', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/timeline.js', import.meta.url), 'utf8'),
      readFileSync(new URL('./page/search.js', import.meta.url), 'utf8'),
    ].join('\n')}\n})();`,
  };
}
