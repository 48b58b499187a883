import type { FileAccess } from '../core/ports.ts';
import { realPathOf } from '../host/files/real-path.ts';

/** A path that cannot be resolved (a cycle of links, a locked folder) is judged as written; opening it will fail and say why. */
export async function lenientRealPath(path: string): Promise<string> {
  return realPathOf(path).catch(() => path);
}

/** The same of files that are not of this machine. */
export async function lenientRealPathIn(files: Pick<FileAccess, 'realPath'>, path: string): Promise<string> {
  return files.realPath(path).catch(() => path);
}
