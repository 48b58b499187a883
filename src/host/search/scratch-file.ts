import { closeSync, fstatSync, openSync, read, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CHUNK_BYTES = 1024 * 1024;

/** A file for a program's output that has no name any more, so that nothing is left behind however this process ends. */
export class ScratchFile {
  readonly fd: number;

  /** Errors: throws where the folder for temporary files cannot be written. */
  constructor() {
    // It is made anew or not at all, and has no name from then on: nobody has to be unable to guess it.
    const path = join(tmpdir(), `wield-${process.pid}-${Math.random().toString(36).slice(2)}.out`);
    this.fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  /** Bytes written so far. */
  size(): number {
    return fstatSync(this.fd).size;
  }

  /** Its start as text. */
  head(maxBytes: number): string {
    const buffer = Buffer.allocUnsafe(Math.min(maxBytes, this.size()));
    return buffer.toString('utf8', 0, buffer.length === 0 ? 0 : readSync(this.fd, buffer, 0, buffer.length, 0));
  }

  /** All of it from the start, in pieces that are valid until the next one. */
  async *pieces(): AsyncGenerator<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, this.size())));
    for (let at = 0; ; ) {
      const { bytesRead } = await promisify(read)(this.fd, buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  close(): void {
    closeSync(this.fd);
  }
}
