import type { GitRepository } from '../../core/ports.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** What git writes between NULs, or null where it failed, wrote too much, or took too long. */
export async function gitFields(
  repository: GitRepository,
  args: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onOutput = (bytes: Uint8Array): boolean => {
    chunks.push(bytes);
    size += bytes.length;
    return size <= MAX_BYTES;
  };
  const { exitCode } = await repository.run({ args, timeoutMs: TIMEOUT_MS, signal, onOutput });
  return exitCode === 0 ? Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1) : null;
}
