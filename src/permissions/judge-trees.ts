import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findBelow } from './find-below.ts';
import { type Gate, isInside } from './gate.ts';
import { secretOf, type WriteGuard } from './judge-files.ts';
import { lenientRealPath } from './lenient-real-path.ts';
import { mayBring } from './protected-paths.ts';

/** A whole tree that is written, or that comes to lie at a place. */
export interface TreeWrite {
  /** The real path of the place. */
  readonly path: string;
  /** Where it is now, for one that is copied, moved or linked there. */
  readonly from: string | undefined;
  readonly guard: WriteGuard;
}

/** Why the writing of a whole tree asks, and what a yes lets it write. */
export interface TreeReason {
  readonly because: string;
  readonly granted: readonly string[];
}

/** Looks at what is below the place, at what comes to be there, and at what that may bring later; null where nothing asks. */
export async function treeReason(gate: Gate, tree: TreeWrite): Promise<TreeReason | null> {
  return (await reasonThere(gate, tree)) ?? (await reasonBrought(tree));
}

async function reasonThere(gate: Gate, { path, from, guard }: TreeWrite): Promise<TreeReason | null> {
  const source = from === undefined ? null : await lenientRealPath(from);
  const { found, isWhole } = await findBelow(
    path,
    async (entry, isLink) =>
      guard(entry) !== null ||
      (isLink &&
        source !== null &&
        (await isThere(join(source, relative(path, entry)))) &&
        (await leadsAway(gate, guard, entry))),
  );
  const [first] = found;
  if (first !== undefined) {
    const guarded = guard(first);
    return {
      because: guarded === null ? `its link ${first} leads to what is not to be written` : `below it is ${first}: ${guarded}`,
      granted: found,
    };
  }
  const brought = mayBring(path);
  if (brought !== null) return { because: `it may bring ${brought}, which governs tools that run later`, granted: [path] };
  return isWhole ? null : { because: 'it holds too many files to look through them all', granted: [path] };
}

/** What lies below the source, by the names that it will have. */
async function reasonBrought({ path, from, guard }: TreeWrite): Promise<TreeReason | null> {
  if (from === undefined) return null;
  const source = await lenientRealPath(from);
  const landing = (entry: string): string => join(path, relative(source, entry));
  const { found, isWhole } = await findBelow(source, (entry) => guard(landing(entry)) !== null);
  const [first] = found;
  if (first !== undefined)
    return { because: `it brings ${first} as ${landing(first)}: ${guard(landing(first))}`, granted: found.map(landing) };
  return isWhole ? null : { because: `${from} holds too many files to look through them all`, granted: [path] };
}

/** A copy of a file goes through a link that stands in its place. */
async function leadsAway(gate: Gate, guard: WriteGuard, link: string): Promise<boolean> {
  const target = await lenientRealPath(link);
  return guard(target) !== null || secretOf(gate, target) !== null || !isInside(gate, target);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
