import { fstatSync } from 'node:fs';

// A program that starts us with an open pipe and never writes to it must not hang us.
const FIRST_BYTE_MS = 300;

/** What was piped in, or null. With `isWanted` it waits for the end whatever it takes. */
export async function readStdin(isWanted: boolean): Promise<string | null> {
  if (!isWanted && !isPiped()) return null;
  const chunks: Buffer[] = [];
  const stdin = process.stdin;
  return new Promise((resolve, reject) => {
    const timer = isWanted ? undefined : setTimeout(() => finish(null), FIRST_BYTE_MS);
    const finish = (text: string | null): void => {
      clearTimeout(timer);
      stdin.removeAllListeners('data').removeAllListeners('end').pause();
      stdin.unref?.();
      resolve(text);
    };
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
    });
    stdin.on('end', () => finish(Buffer.concat(chunks).toString('utf8')));
    stdin.on('error', reject);
  });
}

function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    return false;
  }
}
