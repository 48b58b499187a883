import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listOf, packNames, readList } from './content-store.ts';
import type { EntryState } from './entry-state.ts';
import { indexedHashes, indexPathIn } from './tree-index.ts';

/** The hash of what a state refers to in the store, or null. */
export function contentOf(state: EntryState | null): string | null {
  return state?.kind === 'file' ? state.hash : null;
}

/**
 * Removes the packs of a project of whose contents nothing is needed any more: neither by `needed`, nor by what is known of its files as
 * they are. Nobody may be at work in the project. Gives the bytes that were freed, or with `isDryRun` would be.
 */
export function sweepContents(folder: string, needed: ReadonlySet<string>, isDryRun: boolean): number {
  const contents = join(folder, 'contents');
  const indexed = indexedHashes(indexPathIn(folder));
  let freed = 0;
  for (const name of packsIn(contents)) {
    const pack = join(contents, name);
    if (readList(contents, name).some(([hash]) => needed.has(hash) || indexed.has(hash))) continue;
    freed += sizeOf(pack) + sizeOf(listOf(pack));
    if (isDryRun) continue;
    // The list first: without it the contents are not there for anybody.
    rmSync(listOf(pack), { force: true });
    rmSync(pack, { force: true });
  }
  return freed;
}

/** None where nothing was ever kept. */
function packsIn(contents: string): readonly string[] {
  try {
    return packNames(contents);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
