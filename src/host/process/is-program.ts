import { accessSync, constants, existsSync, statSync } from 'node:fs';

/** True for a file that may be started. */
export function isProgram(path: string): boolean {
  // Most folders of a PATH do not have it, and a thrown error is the dear way to hear that.
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
