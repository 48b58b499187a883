import type { FileHandle } from 'node:fs/promises';

/** Writes all of the bytes. Errors: ENOSPC, also where the disk takes fewer without saying so. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw Object.assign(new Error('the disk took no more bytes'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
}

/** Errors: ENOSPC where a file has not the size that it should have. */
export async function assertSize(file: FileHandle, expected: number): Promise<void> {
  const { size } = await file.stat();
  if (size !== expected) throw Object.assign(new Error(`${size} of ${expected} bytes reached the disk`), { code: 'ENOSPC' });
}
