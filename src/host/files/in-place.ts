import { type FileHandle, open } from 'node:fs/promises';
import { assertSize, writeAt } from './write-bytes.ts';

const BLOCK_BYTES = 4096;

/**
 * Writes into a file that keeps its names and owner: grows it, overwrites it from the start, and cuts it last. So at any moment it is
 * `isMixture`, and until the end no block of it is given back, so that `restoreInPlace` finds its room also on a full disk.
 */
export async function writeInPlace(target: string, bytes: Uint8Array): Promise<void> {
  await withFile(target, async (file) => {
    const { size } = await file.stat();
    await growInPlace(file, bytes, size);
    await writeAt(file, bytes, 0);
    await cutAndSync(file, bytes.length);
  });
}

/** Puts the old content back after `writeInPlace` failed, and writes only what differs: from the end, so that it stays `isMixture`. */
export async function restoreInPlace(target: string, oldBytes: Uint8Array): Promise<void> {
  await withFile(target, async (file) => {
    const current = await file.readFile();
    await writeAt(file, oldBytes.subarray(current.length), current.length);
    const shared = Math.min(current.length, oldBytes.length);
    for (let start = shared - (shared % BLOCK_BYTES); start >= 0; start -= BLOCK_BYTES) {
      const block = oldBytes.subarray(start, Math.min(start + BLOCK_BYTES, shared));
      if (Buffer.compare(block, current.subarray(start, start + block.length)) !== 0) await writeAt(file, block, start);
    }
    await cutAndSync(file, oldBytes.length);
  });
}

/** Whether `current` is what our own writing can leave: the new content up to some byte, and from there the old one, grown or not. */
export function isMixture(current: Uint8Array, oldBytes: Uint8Array, newBytes: Uint8Array): boolean {
  const { length } = current;
  if (length < Math.min(oldBytes.length, newBytes.length) || length > Math.max(oldBytes.length, newBytes.length)) return false;
  let newEnd = 0;
  while (newEnd < length && current[newEnd] === newBytes[newEnd]) newEnd++;
  let oldStart = length;
  while (oldStart > newEnd) {
    const at = oldStart - 1;
    if (current[at] !== (at < oldBytes.length ? oldBytes[at] : newBytes[at])) break;
    oldStart = at;
  }
  return oldStart <= newEnd;
}

async function withFile(target: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(target, 'r+');
  try {
    await use(file);
  } finally {
    await file.close();
  }
}

/** A full disk shows while a file grows, before a byte of its old text is gone; then it is cut back to that. */
async function growInPlace(file: FileHandle, bytes: Uint8Array, oldSize: number): Promise<void> {
  try {
    await writeAt(file, bytes.subarray(oldSize), oldSize);
  } catch (thrown) {
    await file.truncate(oldSize);
    throw thrown;
  }
}

async function cutAndSync(file: FileHandle, size: number): Promise<void> {
  await file.truncate(size);
  await assertSize(file, size);
  await file.sync();
}
