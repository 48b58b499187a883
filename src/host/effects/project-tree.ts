import { readdirSync, type Stats } from 'node:fs';
import type { ContentStore } from './content-store.ts';
import { describeCoverage, type Uncovered, uncoveredFolder } from './coverage.ts';
import { type EntryState, isSameState, type PathChange, type UncoveredReason } from './entry-state.ts';
import { FolderWatch } from './folder-watch.ts';
import { joinRaw, nameOf, parentOf, type RawPath, systemPath } from './raw-path.ts';
import { entryOf, isSameStamp, lstatOrNull, type ReadEntry, type Stamp, stampOf, uncovered } from './read-entry.ts';
import { indexPathIn, readTreeIndex, writeTreeIndex } from './tree-index.ts';
import limits from './uncovered.json' with { type: 'json' };

/** Thrown where there is more than can be kept. */
export class TreeTooLarge extends Error {
  constructor(what: string) {
    super(`it holds more than ${what}`);
    this.name = 'TreeTooLarge';
  }
}

export interface TreeOptions {
  /** Real paths. */
  readonly roots: readonly RawPath[];
  /** Folders of ours, which are not looked at wherever they stand. */
  readonly excluded: ReadonlySet<RawPath>;
  /** Where what is known of the tree is kept between sessions. */
  readonly folder: string;
  readonly store: ContentStore;
  /** Ends the first look. */
  readonly signal: AbortSignal;
  /** Up to so many files are asked one by one in each look. */
  readonly maxAskedFiles?: number;
  /** Told of the files that were looked at so far. */
  onProgress(files: number): void;
}

/** What changed since the last look. `unheard` says why everything had to be looked at; null where the system told what to look at. */
export interface Look {
  readonly changes: readonly PathChange[];
  readonly unheard: string | null;
}

interface Node extends ReadEntry {
  /** Names in a folder that is covered. */
  readonly names: Set<string> | null;
}

const SLICE_MS = 15;

/** All files of the workspace and what they hold, kept up to date. Made by `openProjectTree`. */
export class ProjectTree {
  readonly #options: TreeOptions;
  readonly #watch: FolderWatch;
  readonly #nodes = new Map<RawPath, Node>();
  /** Files by inode that have several names: who writes to one is heard under that name only. */
  readonly #linked = new Map<number, Set<RawPath>>();
  #known: Map<RawPath, ReadEntry>;
  #files = 0;
  #bytes = 0;
  #isFilling = true;
  #hasBrokenOff = false;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(options: TreeOptions, watch: FolderWatch) {
    this.#options = options;
    this.#watch = watch;
    this.#known = readTreeIndex(indexPathIn(options.folder), options.store);
  }

  /** Looks at everything. Errors: TreeTooLarge. */
  async fill(): Promise<void> {
    await this.#run(this.#visitRoots(new Map()));
    this.#isFilling = false;
    this.#known = new Map();
    this.#options.store.flush();
    this.save();
  }

  /** What changed since the last look, whoever did it. Contents are in the store. */
  async look(): Promise<Look> {
    const looked = this.#looking.then(() => this.#lookNow());
    this.#looking = looked.catch(() => undefined);
    return looked;
  }

  get uncovered(): readonly Uncovered[] {
    return [...this.#nodes].flatMap(([path, { state }]) => (state.kind === 'uncovered' ? [{ path, why: state.why }] : []));
  }

  /** What is not covered, in one line for a person who is in the first root. */
  describeCoverage(): string {
    const silent = this.#files > this.#maxAskedFiles ? ['what is written through a memory map'] : [];
    return [describeCoverage(this.uncovered, this.#options.roots[0] ?? '/'), ...silent].join('; ');
  }

  save(): void {
    writeTreeIndex(indexPathIn(this.#options.folder), this.#nodes);
  }

  close(): void {
    this.#watch.close();
  }

  get #maxAskedFiles(): number {
    return this.#options.maxAskedFiles ?? limits.maxAskedFiles;
  }

  async #lookNow(): Promise<Look> {
    const heard = this.#hasBrokenOff ? { unheard: 'the last look broke off' } : await this.#watch.hear();
    const changes: Changes = new Map();
    this.#hasBrokenOff = true;
    await this.#run('unheard' in heard ? this.#visitRoots(changes) : this.#visitTouched(heard.touched, changes));
    this.#options.store.flush();
    this.#hasBrokenOff = false;
    return { changes: listOf(changes), unheard: 'unheard' in heard ? heard.unheard : null };
  }

  /** Gives way now and then, so that a screen goes on being drawn. */
  async #run(steps: Iterable<void>): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS;
    for (const _ of steps) {
      if (performance.now() < sliceEnd) continue;
      await new Promise(setImmediate);
      if (this.#isFilling) this.#options.signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }

  *#visitRoots(changes: Changes): Iterable<void> {
    for (const root of this.#options.roots) yield* this.#visit(root, changes, true);
  }

  *#visitTouched(touched: ReadonlyMap<RawPath, 'changed' | 'replaced'>, changes: Changes): Iterable<void> {
    yield* this.#visitSilent(changes);
    // Folders before what is in them: what a new one holds is seen with it.
    for (const path of [...this.#options.roots, ...[...touched.keys()].toSorted()]) {
      const isRoot = this.#options.roots.includes(path);
      if (!isRoot && this.#nodes.get(parentOf(path))?.names == null) continue;
      const other = [...(this.#linked.get(this.#nodes.get(path)?.stamp.inode ?? 0) ?? [])];
      yield* this.#visit(path, changes, touched.get(path) === 'replaced');
      for (const name of [...other, ...(this.#linked.get(this.#nodes.get(path)?.stamp.inode ?? 0) ?? [])])
        if (name !== path) yield* this.#visit(name, changes, false);
    }
  }

  /** What is written through a memory map is not told. Where there are few files, each is asked for its stamp, which shows that too. */
  *#visitSilent(changes: Changes): Iterable<void> {
    if (this.#files > this.#maxAskedFiles) return;
    for (const [path, { state, stamp }] of this.#nodes) {
      if (state.kind !== 'file') continue;
      const stats = tellable(path);
      if (stats?.isFile() === true && !isSameStamp(stampOf(stats), stamp)) yield* this.#visit(path, changes, false);
    }
  }

  /** Compares what stands at a path with what is known; `isDeep` with all in it, since it may be another folder of the same name. */
  *#visit(path: RawPath, changes: Changes, isDeep: boolean): Iterable<void> {
    if (this.#options.excluded.has(path)) return;
    const known = this.#nodes.get(path) ?? null;
    const stats = tellable(path);
    // What cannot be told is taken to be as it was.
    if (stats === undefined) return;
    if (stats === null) this.#remove(path, changes);
    else if (stats.isDirectory()) yield* this.#visitFolder(path, stats, { known, changes, isDeep });
    else this.#visitFile(path, stats, { known, changes });
    yield;
  }

  #visitFile(path: RawPath, stats: Stats, { known, changes }: { known: Node | null; changes: Changes }): void {
    if (known?.names != null) {
      this.#watch.unwatch(path);
      this.#removeNames(path, known.names, changes);
    }
    const entry = entryOf(path, stats, { store: this.#options.store, known: known ?? this.#known.get(path) ?? null });
    this.#set(path, { ...entry, names: null }, changes);
  }

  *#visitFolder(
    path: RawPath,
    stats: Stats,
    { known, changes, isDeep }: { known: Node | null; changes: Changes; isDeep: boolean },
  ): Iterable<void> {
    const stamp = stampOf(stats);
    const isSame = known !== null && known.stamp.inode === stamp.inode;
    if (isSame && known.state.kind === 'uncovered') return;
    const names = known?.names ?? new Set<string>();
    const folder: Node = { state: { kind: 'folder', mode: stats.mode & 0o7777 }, stamp, names };
    if (isSame && !isDeep) return this.#set(path, folder, changes);
    const isCovered = this.#options.roots.includes(path) || (isSame && known.names !== null);
    const why = isCovered ? null : uncoveredFolder(path);
    if (why !== null) return this.#leaveOut(path, why, { stamp, known, changes });
    // Watched before it is listed: what is made in between is heard or seen.
    this.#watch.watch(path);
    const present = namesIn(path);
    if (present === null && known === null) return this.#leaveOut(path, 'unreadable', { stamp, known, changes });
    this.#set(path, folder, changes);
    // What stands in a folder that has just been shut is taken to be as it was.
    if (present !== null) yield* this.#visitNames(path, { names, present }, changes);
  }

  #leaveOut(
    path: RawPath,
    why: UncoveredReason,
    { stamp, known, changes }: { stamp: Stamp; known: Node | null; changes: Changes },
  ): void {
    if (known?.names != null) this.#removeNames(path, known.names, changes);
    this.#watch.unwatch(path);
    this.#set(path, { state: uncovered(why, { ...stamp, size: 0, mtimeMs: 0 }), stamp, names: null }, changes);
  }

  *#visitNames(
    path: RawPath,
    { names, present }: { names: Set<string>; present: ReadonlySet<string> },
    changes: Changes,
  ): Iterable<void> {
    for (const name of names) if (!present.has(name)) this.#remove(joinRaw(path, name), changes);
    for (const name of present) yield* this.#visit(joinRaw(path, name), changes, true);
  }

  #set(path: RawPath, node: Node, changes: Changes): void {
    const before = this.#nodes.get(path);
    if (before !== undefined) this.#forget(path, before);
    this.#nodes.set(path, node);
    this.#nodes.get(parentOf(path))?.names?.add(nameOf(path));
    this.#count(node, 1);
    if (node.names === null && node.stamp.names > 1) {
      const paths = this.#linked.get(node.stamp.inode) ?? new Set();
      this.#linked.set(node.stamp.inode, paths.add(path));
    }
    note(changes, { path, before: before?.state ?? null, after: node.state });
  }

  #remove(path: RawPath, changes: Changes): void {
    const node = this.#nodes.get(path);
    if (node === undefined) return;
    if (node.names !== null) {
      this.#watch.unwatch(path);
      this.#removeNames(path, node.names, changes);
    }
    this.#forget(path, node);
    this.#nodes.delete(path);
    this.#nodes.get(parentOf(path))?.names?.delete(nameOf(path));
    note(changes, { path, before: node.state, after: null });
  }

  #removeNames(path: RawPath, names: Set<string>, changes: Changes): void {
    for (const name of names) this.#remove(joinRaw(path, name), changes);
  }

  #forget(path: RawPath, node: Node): void {
    this.#count(node, -1);
    this.#linked.get(node.stamp.inode)?.delete(path);
  }

  #count({ state }: Node, sign: 1 | -1): void {
    if (state.kind !== 'file') return;
    this.#files += sign;
    this.#bytes += sign * state.size;
    // What a command adds is kept all the same: it may have taken away as much.
    if (!this.#isFilling || sign < 0) return;
    if (this.#files > limits.maxFiles) throw new TreeTooLarge(`${limits.maxFiles} files`);
    if (this.#bytes > limits.maxBytes) throw new TreeTooLarge(`${limits.maxBytes / 1024 ** 3} GB`);
    if (this.#files % 2000 === 0) this.#options.onProgress(this.#files);
  }
}

/** Errors: TreeTooLarge; what the signal was aborted with. */
export async function openProjectTree(options: TreeOptions, watch = new FolderWatch(options.folder)): Promise<ProjectTree> {
  const tree = new ProjectTree(options, watch);
  try {
    await tree.fill();
    return tree;
  } catch (thrown) {
    tree.close();
    throw thrown;
  }
}

/** By path: the state before the first change that was seen, and after the last. */
type Changes = Map<RawPath, { readonly before: EntryState | null; readonly after: EntryState | null }>;

function note(changes: Changes, { path, before, after }: PathChange): void {
  changes.set(path, { before: changes.has(path) ? (changes.get(path)?.before ?? null) : before, after });
}

function listOf(changes: Changes): PathChange[] {
  return [...changes].map(([path, change]) => ({ path, ...change })).filter(({ before, after }) => !isSameState(before, after));
}

/** Undefined where it cannot be told what stands there. */
function tellable(path: RawPath): Stats | null | undefined {
  try {
    return lstatOrNull(path);
  } catch {
    return undefined;
  }
}

/** Null where a folder cannot be listed. */
function namesIn(path: RawPath): ReadonlySet<string> | null {
  try {
    return new Set(readdirSync(systemPath(path), { encoding: 'latin1' }));
  } catch {
    return null;
  }
}
