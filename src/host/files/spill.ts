import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomName } from '../random-name.ts';

/** A file that long output goes to while it comes. */
export interface SpillFile {
  readonly path: string;
  /** True once bytes were dropped for the limit of 1 GiB. */
  readonly isCut: boolean;
  /** Resolves when the bytes are written; past the limit they are dropped. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Closes it and removes it. */
  discard(): Promise<void>;
}

const MAX_SPILL_BYTES = 1024 ** 3;

/** Keeps long output in files that only this user can read, in a folder of the session. */
export class SpillStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** A new file of mode 0600 in a folder of mode 0700. */
  async create(): Promise<SpillFile> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `output-${randomName(4)}.txt`);
    const file = await open(path, 'wx', 0o600);
    let offered = 0;
    const close = (): Promise<void> => file.close();
    return {
      path,
      get isCut() {
        return offered > MAX_SPILL_BYTES;
      },
      write: async (bytes) => {
        const room = bytes.subarray(0, Math.max(0, MAX_SPILL_BYTES - offered));
        offered += bytes.length;
        if (room.length > 0) await file.appendFile(room);
      },
      close,
      discard: async () => {
        await close();
        await rm(path, { force: true });
      },
    };
  }

  /** Writes all of it and returns the path. */
  async keep(full: AsyncIterable<Uint8Array>): Promise<string> {
    const spilled = await this.create();
    try {
      for await (const bytes of full) await spilled.write(bytes);
    } finally {
      await spilled.close();
    }
    return spilled.path;
  }
}
