import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PermissionRule } from '../core/permission.ts';
import sample from './tour-sample.json' with { type: 'json' };

/** The sample's own test command. */
export const TOUR_TEST_COMMAND = 'node --test';

/** Makes a scratch copy of the sample project and returns its real path. The tour's workspace is this copy and nothing else. */
export function createTourWorkspace(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'wield-tour-')));
  for (const [path, lines] of Object.entries(sample)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${lines.join('\n')}\n`);
  }
  return root;
}

/** The one rule of the tour's session, shown to the person like any other. */
export const TOUR_RULE: PermissionRule = {
  behavior: 'allow',
  tool: 'Bash',
  specifier: TOUR_TEST_COMMAND,
  scope: 'session',
  origin: 'the tour',
};
