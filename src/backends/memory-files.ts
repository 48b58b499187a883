import { dirname, resolve } from 'node:path';
import { hashOfPieces, shortHash } from '../core/hash.ts';
import {
  type ByteRange,
  type Change,
  type FileAccess,
  FileConflict,
  type FileContent,
  type FileStat,
  type Version,
} from '../core/ports.ts';

/** What files in memory begin with. */
export interface MemoryFilesOptions {
  /** What is there at first: contents by absolute path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Folders that are there though nothing is in them. */
  readonly folders?: readonly string[];
  /** Records what a model has seen, so that WriteFile refuses to replace what it has not. Default true. */
  readonly tracksSeen?: boolean;
}

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
  readonly mode: number;
}

/** Files that are nowhere but here. They behave as a disk does, but for links, owners and devices, which there are not. */
export class MemoryFiles implements FileAccess {
  readonly tracksSeen: boolean;
  readonly #files = new Map<string, MemoryFile>();
  readonly #folders = new Set(['/']);
  readonly #seen = new Map<string, Version>();
  #lastTimeMs = 0;

  constructor({ files = {}, folders = [], tracksSeen = true }: MemoryFilesOptions = {}) {
    this.tracksSeen = tracksSeen;
    for (const path of folders) this.#makeFolder(resolve(path));
    for (const [path, content] of Object.entries(files)) this.#put(resolve(path), bytesOf(content), null);
  }

  // Properties and not methods, so that a copy of it with one of them replaced works.
  readonly realPath = async (path: string): Promise<string> => resolve(path);

  readonly stat = async (path: string): Promise<FileStat> => {
    const target = resolve(path);
    if (this.#folders.has(target)) return { kind: 'directory', sizeBytes: 0, mtimeMs: 0, mode: 0o755 };
    const { bytes, mtimeMs, mode } = this.#fileAt(target);
    return { kind: 'file', sizeBytes: bytes.length, mtimeMs, mode };
  };

  readonly list = async (path: string): Promise<readonly string[]> => {
    const folder = resolve(path);
    if (!this.#folders.has(folder)) {
      this.#fileAt(folder);
      throw fault('ENOTDIR', `${folder} is not a folder`);
    }
    const below = folder === '/' ? '/' : `${folder}/`;
    const within = [...this.#files.keys(), ...this.#folders].filter((known) => known.startsWith(below) && known !== folder);
    return [...new Set(within.map((known) => known.slice(below.length).split('/', 1)[0] ?? ''))];
  };

  readonly read = async (path: string, range?: ByteRange): Promise<Uint8Array> => {
    const target = resolve(path);
    if (this.#folders.has(target)) throw fault('EISDIR', `${target} is a directory`);
    const { bytes } = this.#fileAt(target);
    return range === undefined ? bytes.slice() : bytes.slice(range.start, range.start + range.length);
  };

  readonly replace = async (path: string, bytes: FileContent, expect: Version | 'absent' | 'any'): Promise<Version> => {
    await this.transact([{ path, bytes, expect }]);
    return hashOfPieces(bytes instanceof Uint8Array ? [bytes] : bytes);
  };

  /** Nothing is waited for in between, so no other write comes between the comparison and the swap. */
  readonly transact = async (changes: readonly Change[]): Promise<void> => {
    for (const { path, expect } of changes) this.#assertWritable(resolve(path), expect);
    for (const { path, bytes, like } of changes) {
      const target = resolve(path);
      if (bytes === null) this.#files.delete(target);
      else this.#put(target, bytesOf(bytes), like === undefined ? null : resolve(like));
    }
  };

  readonly seen = (path: string): Version | null => this.#seen.get(resolve(path)) ?? null;

  readonly noteSeen = (path: string, version: Version): void => void this.#seen.set(resolve(path), version);

  /** All files and what they hold as text, by absolute path, sorted. */
  texts(): Readonly<Record<string, string>> {
    const sorted = [...this.#files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([path, { bytes }]) => [path, Buffer.from(bytes).toString('utf8')]));
  }

  #fileAt(path: string): MemoryFile {
    const file = this.#files.get(path);
    if (file !== undefined) return file;
    this.#assertNoFileAbove(path);
    throw fault('ENOENT', `there is no ${path}`);
  }

  #assertWritable(path: string, expect: Version | 'absent' | 'any'): void {
    if (this.#folders.has(path)) throw fault('EISDIR', `${path} is a directory`);
    this.#assertNoFileAbove(path);
    const file = this.#files.get(path);
    const version = file === undefined ? 'absent' : shortHash(file.bytes);
    if (expect !== 'any' && expect !== version) throw new FileConflict(path);
  }

  #assertNoFileAbove(path: string): void {
    for (let at = dirname(path); at !== '/'; at = dirname(at)) if (this.#files.has(at)) throw fault('ENOTDIR', `${at} is a file`);
  }

  #put(path: string, bytes: Uint8Array, like: string | null): void {
    this.#makeFolder(dirname(path));
    // Each write is later than the one before, so that the newest is known.
    this.#lastTimeMs = Math.max(Date.now(), this.#lastTimeMs + 1);
    const mode = this.#files.get(path)?.mode ?? this.#files.get(like ?? '')?.mode ?? 0o644;
    this.#files.set(path, { bytes, mtimeMs: this.#lastTimeMs, mode });
  }

  #makeFolder(path: string): void {
    for (let at = path; !this.#folders.has(at); at = dirname(at)) this.#folders.add(at);
  }
}

/** A copy: what a caller does with its own bytes later changes nothing here. */
function bytesOf(content: string | FileContent): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content.slice() : new Uint8Array(Buffer.concat(content));
}

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
