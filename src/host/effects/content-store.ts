import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomName } from '../random-name.ts';

/** Where a content stands: a span of a block, which is compressed as a whole. */
interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly packedBytes: number;
  readonly start: number;
  readonly length: number;
}

const BLOCK_BYTES = 256 * 1024;
const FASTEST = 1;
const MAX_STORE_BYTES = 2 * 1024 ** 3;

/**
 * Contents by their SHA-256, each kept once. They are packed into large files: thousands of small ones would take three times the time and
 * the room. A process only ever appends to a pack of its own, so that several can work on one store. Folder 0700, files 0600.
 */
export class ContentStore {
  readonly #folder: string;
  readonly #places = new Map<string, Place>();
  /** Contents of the block that is not written yet. */
  #waiting = new Map<string, Uint8Array>();
  #waitingBytes = 0;
  #own: OwnPack | null = null;
  #lastBlock: { readonly key: string; readonly bytes: Buffer } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    dropOldest(folder);
    for (const name of packNames(folder)) for (const [hash, place] of readList(folder, name)) this.#places.set(hash, place);
  }

  has(hash: string): boolean {
    return this.#places.has(hash) || this.#waiting.has(hash);
  }

  /** Keeps a content, which must not change from then on, and gives its hash. It is on the disk after the next `flush`. */
  put(content: Uint8Array): string {
    const hash = contentHash(content);
    if (this.has(hash)) return hash;
    this.#waiting.set(hash, content);
    this.#waitingBytes += content.length;
    if (this.#waitingBytes >= BLOCK_BYTES) this.#writeBlock();
    return hash;
  }

  /** Null where it is not kept any more, or damaged. */
  read(hash: string): Uint8Array | null {
    const waiting = this.#waiting.get(hash);
    if (waiting !== undefined) return waiting;
    const place = this.#places.get(hash);
    const block = place === undefined ? null : this.#blockOf(place);
    if (place === undefined || block === null) return null;
    const content = block.subarray(place.start, place.start + place.length);
    return contentHash(content) === hash ? content : null;
  }

  /** All that was put is on the disk afterwards. */
  flush(): void {
    this.#writeBlock();
    if (this.#own?.hasNew === true) {
      fdatasyncSync(this.#own.data);
      this.#own.hasNew = false;
    }
  }

  close(): void {
    this.flush();
    if (this.#own === null) return;
    closeSync(this.#own.data);
    closeSync(this.#own.list);
    this.#own = null;
  }

  #writeBlock(): void {
    if (this.#waiting.size === 0) return;
    const own = (this.#own ??= openPack(this.#folder));
    const { zstdCompressSync, constants } = process.getBuiltinModule('node:zlib');
    const packed = zstdCompressSync(Buffer.concat([...this.#waiting.values()]), {
      params: { [constants.ZSTD_c_compressionLevel]: FASTEST },
    });
    const offset = own.dataEnd;
    // At its place: what a full disk cut off is written over by the next try.
    writeAt(own.data, packed, offset);
    let start = 0;
    let lines = '';
    const places: [string, Place][] = [];
    for (const [hash, { length }] of this.#waiting) {
      const place = { pack: own.name, offset, packedBytes: packed.length, start, length };
      places.push([hash, place]);
      lines += `${hash} ${offset} ${packed.length} ${start} ${length}\n`;
      start += length;
    }
    writeAt(own.list, Buffer.from(lines), own.listEnd);
    own.dataEnd += packed.length;
    own.listEnd += lines.length;
    own.hasNew = true;
    for (const [hash, place] of places) this.#places.set(hash, place);
    this.#waiting = new Map();
    this.#waitingBytes = 0;
  }

  #blockOf({ pack, offset, packedBytes }: Place): Buffer | null {
    const key = `${pack} ${offset}`;
    if (this.#lastBlock?.key === key) return this.#lastBlock.bytes;
    try {
      const bytes = process
        .getBuiltinModule('node:zlib')
        .zstdDecompressSync(readSpan(join(this.#folder, pack), offset, packedBytes));
      this.#lastBlock = { key, bytes };
      return bytes;
    } catch {
      return null;
    }
  }
}

export function contentHash(content: Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content, 'hex');
}

interface OwnPack {
  readonly name: string;
  readonly data: number;
  readonly list: number;
  dataEnd: number;
  listEnd: number;
  hasNew: boolean;
}

function openPack(folder: string): OwnPack {
  const name = `${randomName()}.pack`;
  const data = openSync(join(folder, name), 'wx', 0o600);
  return { name, data, list: openSync(listOf(join(folder, name)), 'wx', 0o600), dataEnd: 0, listEnd: 0, hasNew: false };
}

/** The list of what stands in a pack. */
export function listOf(pack: string): string {
  return `${pack}.list`;
}

/** Errors: of the system, where there is no such folder. */
export function packNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.pack'));
}

/** The contents of a pack and their places. A line that was cut off at the end tells of a content that is not whole either. */
export function readList(folder: string, pack: string): [string, Place][] {
  const lines = textOrNothing(listOf(join(folder, pack)))
    .split('\n')
    .slice(0, -1);
  return lines.flatMap((line) => {
    const [hash = '', ...numbers] = line.split(' ');
    const [offset, packedBytes, start, length] = numbers.map(Number);
    if (offset === undefined || packedBytes === undefined || start === undefined || length === undefined) return [];
    return [[hash, { pack, offset, packedBytes, start, length }]];
  });
}

/** Past its size a store gives up what is oldest: an undo of that is refused then, and says so. */
function dropOldest(folder: string): void {
  const packs = packNames(folder)
    .map((name) => ({ path: join(folder, name), stats: statSync(join(folder, name)) }))
    .toSorted((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
  let total = 0;
  for (const { path, stats } of packs) {
    total += stats.size;
    if (total <= MAX_STORE_BYTES) continue;
    rmSync(listOf(path), { force: true });
    rmSync(path, { force: true });
  }
}

function textOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function readSpan(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    readSync(file, bytes, 0, length, offset);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
}
