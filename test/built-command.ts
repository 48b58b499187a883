import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = 'node_modules/.cache/wield-bundle';

/** The command as users run it: bundled. Tests of the doors start it, and it starts four times as fast as its source. */
export const BUILT_COMMAND = join(ROOT, FOLDER, 'wield.js');

/** Once before all tests. */
export function setup(): void {
  execFileSync(process.execPath, [join(ROOT, 'build/bundle.ts'), FOLDER], { cwd: ROOT });
}
