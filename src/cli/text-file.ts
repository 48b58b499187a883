import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const MAX_BYTES = 1024 * 1024;

/** The text of a file in UTF-8 with plain line ends, so that it can be compared line by line; else null. */
export async function plainText(path: string): Promise<string | null> {
  try {
    // Non-blocking, since opening a FIFO that nobody writes to would wait for ever.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > MAX_BYTES) return null;
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile());
      return text.includes('\r') || text.includes('\0') ? null : text;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
