import { realPathOf } from '../host/files/real-path.ts';

/** A path that cannot be resolved (a cycle of links, a locked folder) is judged as written; opening it will fail and say why. */
export async function lenientRealPath(path: string): Promise<string> {
  return realPathOf(path).catch(() => path);
}
