import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentStore } from './content-store.ts';
import { uncoveredFolder } from './coverage.ts';
import type { EntryState } from './entry-state.ts';
import { TreeTooLarge } from './project-tree.ts';
import { joinRaw, type RawPath, rawPath, systemPath } from './raw-path.ts';
import { entryOf, lstatOrNull, type ReadEntry } from './read-entry.ts';
import { readTreeIndex, writeTreeIndex } from './tree-index.ts';
import limits from './snapshot.json' with { type: 'json' };

/** What stands at a path below a folder. Times matter too: a search gives the newest first. */
export interface SnapshotEntry {
  /** Relative to the folder. */
  readonly path: RawPath;
  readonly state: EntryState;
  readonly mtimeMs: number;
}

export interface SnapshotOptions {
  /** A real path. */
  readonly root: string;
  /** Folders of ours, real paths. */
  readonly excluded: readonly string[];
  /** Where what is known of the files is kept between sessions. */
  readonly folder: string;
  readonly store: ContentStore;
  readonly signal: AbortSignal;
}

const SLICE_MS = 10;

/** All of a folder as it is now, folders before what is in them; contents go to the store. Errors: TreeTooLarge, what the signal was aborted with. */
export async function takeSnapshot(options: SnapshotOptions): Promise<readonly SnapshotEntry[]> {
  const { root, store, folder, signal } = options;
  const index = join(folder, 'tree.json');
  const known = readTreeIndex(index, store);
  const found = new Map<RawPath, ReadEntry>();
  let bytes = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [path, entry] of walk(rawPath(root), { ...options, known })) {
    found.set(path, entry);
    bytes += entry.state.kind === 'file' ? entry.state.size : 0;
    if (found.size > limits.maxEntries) throw new TreeTooLarge(`${limits.maxEntries} files and folders`);
    if (bytes > limits.maxBytes) throw new TreeTooLarge(`${limits.maxBytes / 1024 ** 2} MB`);
    if (performance.now() < sliceEnd) continue;
    await new Promise(setImmediate);
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
  store.flush();
  // The first command looks at the same files: what is known of them need not be read again.
  writeTreeIndex(index, new Map([...known, ...found]));
  const start = rawPath(root).length + 1;
  return [...found].map(([path, { state, stamp }]) => ({ path: path.slice(start), state, mtimeMs: stamp.mtimeMs }));
}

/** A file that becomes somebody else when it runs is none to make for a stranger. */
const PLAIN_MODE = 0o777;

/** Makes a folder what a snapshot says, in a place where nothing is yet. Gives the paths that could not be made. */
export function writeSnapshot(
  root: string,
  entries: readonly SnapshotEntry[],
  contentOf: (hash: string) => Uint8Array | null,
): readonly RawPath[] {
  const missing: RawPath[] = [];
  const made = new Set<RawPath>(['']);
  for (const { path, state, mtimeMs } of entries) {
    // Only below folders that were made here: a snapshot may come from elsewhere, and a link in it lead anywhere.
    if (!made.has(path.slice(0, Math.max(0, path.lastIndexOf('/')))) || made.has(path)) {
      missing.push(path);
      continue;
    }
    if (state.kind === 'folder') made.add(path);
    const place = systemPath(joinRaw(rawPath(root), path));
    const content = state.kind === 'file' ? contentOf(state.hash) : null;
    if (state.kind === 'folder') mkdirSync(place, { recursive: true, mode: 0o700 });
    else if (state.kind === 'link') symlinkSync(systemPath(state.target), place);
    else if (state.kind === 'file' && content !== null) {
      writeFileSync(place, content, { mode: 0o600 });
      chmodSync(place, state.mode & PLAIN_MODE);
      utimesSync(place, mtimeMs / 1000, mtimeMs / 1000);
    } else missing.push(path);
  }
  // Last, and inner ones first: what is put into a folder makes it younger, and may be kept out of one that is shut.
  for (const { path, state, mtimeMs } of entries.toReversed()) {
    if (state.kind !== 'folder' || !made.has(path)) continue;
    const place = systemPath(joinRaw(rawPath(root), path));
    utimesSync(place, mtimeMs / 1000, mtimeMs / 1000);
    chmodSync(place, state.mode & PLAIN_MODE);
  }
  return missing;
}

interface WalkOptions extends SnapshotOptions {
  readonly known: ReadonlyMap<RawPath, ReadEntry>;
}

function* walk(folder: RawPath, options: WalkOptions): Generator<readonly [RawPath, ReadEntry]> {
  for (const name of namesIn(folder)) {
    const path = joinRaw(folder, name);
    if (options.excluded.some((other) => rawPath(other) === path)) continue;
    const stats = lstatOrNull(path);
    if (stats === null) continue;
    const why = stats.isDirectory() ? uncoveredFolder(path) : null;
    const entry = entryOf(path, stats, { store: options.store, known: options.known.get(path) ?? null });
    yield [path, why === null ? entry : { ...entry, state: { kind: 'uncovered', why, mark: '' } }];
    if (why === null && stats.isDirectory()) yield* walk(path, options);
  }
}

/** A folder that cannot be listed is taken to be empty. */
function namesIn(folder: RawPath): readonly string[] {
  try {
    return readdirSync(systemPath(folder), { encoding: 'latin1' });
  } catch {
    return [];
  }
}
