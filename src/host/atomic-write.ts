import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

type Existing = Awaited<ReturnType<typeof stat>>;

/**
 * Replaces a file so that at any crash, kill or full disk it is the old one or the new one. Mode and owner stay; a new file is 0644
 * and missing folders are 0755, both under the umask. `recheck` runs last before the change becomes visible and may throw.
 * Order: temp file 0600 beside the target, write, check the size, mode and owner, fsync, recheck, rename, fsync the folder.
 */
export async function writeAtomically(path: string, bytes: Uint8Array, recheck: () => Promise<void>): Promise<void> {
  const existing = await existingFile(path);
  if (existing !== null) await access(path, constants.W_OK);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const temp = join(folder, `.wield-${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeTemp(temp, bytes, existing);
    await recheck();
    // A hard-linked file is written in place so that its other names see the change; the temp file is the copy until then.
    if (existing !== null && existing.nlink > 1) await writeInPlace(path, bytes);
    else await rename(temp, path);
    await syncFolder(folder);
  } finally {
    await unlink(temp).catch(() => undefined);
  }
}

async function existingFile(path: string): Promise<Existing | null> {
  try {
    return await stat(path);
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

async function writeTemp(temp: string, bytes: Uint8Array, existing: Existing | null): Promise<void> {
  const file = await open(temp, 'wx', 0o600);
  try {
    await writeAll(file, bytes);
    if (existing === null) await file.chmod(0o644 & ~process.umask());
    else await keepOwnerAndMode(file, existing);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, at);
    if (bytesWritten === 0) throw Object.assign(new Error('the disk took no more bytes'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
  const { size } = await file.stat();
  if (size !== bytes.length) throw new Error(`${size} of ${bytes.length} bytes reached the disk`);
}

async function keepOwnerAndMode(file: FileHandle, existing: Existing): Promise<void> {
  const { uid, gid } = await file.stat();
  // Owner first: chown clears the set-user-ID bits that chmod then restores.
  if (uid !== existing.uid || gid !== existing.gid) await file.chown(Number(existing.uid), Number(existing.gid));
  await file.chmod(Number(existing.mode) & 0o7777);
}

async function writeInPlace(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await writeAllInPlace(file, bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAllInPlace(file: FileHandle, bytes: Uint8Array): Promise<void> {
  // Grow first: a full disk shows before a byte of the old text is gone.
  const { size } = await file.stat();
  if (bytes.length > size) {
    const tail = bytes.subarray(size);
    await file.write(tail, 0, tail.length, size);
  }
  await file.truncate(bytes.length);
  await writeAll(file, bytes);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
