import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
rmSync(join(root, 'dist'), { recursive: true, force: true });
rmSync(join(root, 'node_modules/.cache/wield/build.tsbuildinfo'), { force: true });
