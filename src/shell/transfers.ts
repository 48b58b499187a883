import { basename } from 'node:path';
import { type Extent, type Place, pathsAt, pathsOf, TREE } from './folders.ts';
import type { PathUse } from './report.ts';
import type { ShellWord } from './shell-word.ts';

/** What is copied, moved or linked, and all places where it may come to lie. */
export interface Transfers {
  readonly reads: readonly PathUse[];
  readonly landings: readonly PathUse[];
}

/** The last operand is the target. It may be a folder, and then what is written lies in it; or it becomes what the source is. */
export function transfers(operands: readonly ShellWord[], place: Place, extent: Extent): Transfers {
  const sources = operands.slice(0, -1);
  const target = operands.at(-1);
  const reads = sources.flatMap((word) => pathsOf(word, place, extent));
  if (target === undefined) return { reads, landings: [] };
  const landings = sources.flatMap((source) => landingsOf(source, target, place, extent));
  const isSaid = landings.some(({ from }) => from !== undefined);
  return { reads, landings: [...(isSaid ? [] : pathsOf(target, place, extent)), ...landings] };
}

function landingsOf(source: ShellWord, target: ShellWord, place: Place, extent: Extent): readonly PathUse[] {
  if (source.value === null || target.value === null) return [{ path: null, ...TREE }];
  const within = pathsAt(`${target.value}/${basename(source.value)}`, place, extent);
  const landings = extent.isDeep ? [...pathsAt(target.value, place, extent), ...within] : within;
  const known = pathsAt(source.value, place, extent).flatMap(({ path }) => (path === null ? [] : [path]));
  return extent.isDeep && known.length > 0
    ? known.flatMap((from) => landings.map((landing) => ({ ...landing, from })))
    : landings;
}
