import { accessSync, constants, statSync } from 'node:fs';

/** True for a file that may be started. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
