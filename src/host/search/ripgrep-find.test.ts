import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWithRipgrep } from './ripgrep-find.ts';
import { ripgrepPath } from './ripgrep.ts';

const PLACES: readonly (readonly [string, string])[] = [
  ['below the working folder of the process', join(process.cwd(), 'node_modules/.cache')],
  ['elsewhere', tmpdir()],
];

test.each(PLACES)('a folder %s is listed newest first', async (_where, place) => {
  mkdirSync(place, { recursive: true });
  const root = mkdtempSync(join(place, 'wield-find-'));
  try {
    for (const [name, seconds] of [
      ['old', 1000],
      ['new', 3000],
      ['middle', 2000],
    ] as const) {
      writeFileSync(join(root, name), '');
      utimesSync(join(root, name), seconds, seconds);
    }
    const request = { root, accepts: () => true, includeIgnored: true, maxResults: 2, signal: new AbortController().signal };
    expect(await findWithRipgrep(request, ripgrepPath())).toMatchObject({ files: ['new', 'middle'], total: 3 });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
