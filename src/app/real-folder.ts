import { realpathSync, statSync } from 'node:fs';
import { AgentError } from '../core/errors.ts';

/** A folder's real path. Errors: AgentError `folder_missing`. */
export function realFolder(path: string): string {
  const real = realPathOrNull(path);
  if (real !== null && statSync(real).isDirectory()) return real;
  throw new AgentError({
    code: 'folder_missing',
    message: real === null ? `There is no folder ${path}.` : `${path} is not a folder.`,
    remedy: 'Give a folder that exists.',
  });
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
