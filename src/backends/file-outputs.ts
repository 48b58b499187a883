import { join } from 'node:path';
import type { OutputStore } from '../core/backend.ts';
import type { FileAccess } from '../core/ports.ts';
import type { SpillFile } from '../host/files/spill.ts';

/** Keeps long output among files, wherever these are. */
export class FileOutputs implements OutputStore {
  readonly folder: string;
  readonly #files: FileAccess;
  #count = 0;

  constructor(files: FileAccess, folder: string) {
    this.#files = files;
    this.folder = folder;
  }

  /** A file that an output goes to while it comes; it is there once it is closed. */
  async create(): Promise<SpillFile> {
    const path = join(this.folder, `output-${++this.#count}.txt`);
    const pieces: Uint8Array[] = [];
    return {
      path,
      isCut: false,
      write: async (bytes) => void pieces.push(bytes.slice()),
      close: async () => void (await this.#files.replace(path, pieces, 'any')),
      discard: async () => undefined,
    };
  }

  async keep(full: AsyncIterable<Uint8Array>): Promise<string> {
    const output = await this.create();
    for await (const bytes of full) await output.write(bytes);
    await output.close();
    return output.path;
  }
}
