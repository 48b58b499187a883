import { fstatSync } from 'node:fs';

// A program that starts us with an open pipe and never writes to it must not hang us; a slow one gets its time.
const FIRST_BYTE_MS = 3000;

/** What was piped in, or null. With `isWanted` it waits for the end whatever it takes. */
export async function readStdin(isWanted: boolean): Promise<string | null> {
  if (!isWanted && !isPiped()) return null;
  const chunks: Buffer[] = [];
  const stdin = process.stdin;
  return new Promise((resolve, reject) => {
    const timer = isWanted ? undefined : setTimeout(() => giveUp(), FIRST_BYTE_MS);
    const finish = (text: string | null): void => {
      clearTimeout(timer);
      stdin.removeAllListeners('data').removeAllListeners('end').pause();
      stdin.unref?.();
      resolve(text);
    };
    const giveUp = (): void => {
      process.stderr.write(
        'Nothing came through the pipe in 3 s; going on without it. Write < /dev/null to say that there is none.\n',
      );
      finish(null);
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
