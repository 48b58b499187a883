import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../shared/cases');

/** Where cases recorded elsewhere lie; null where they are absent. */
export const recordedCases: string | null = existsSync(FOLDER) ? FOLDER : null;
