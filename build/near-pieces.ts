import type { Metafile } from 'esbuild';
import { filesOf, pieceOf, piecesOf } from './pieces.ts';

type Outputs = Metafile['outputs'];

interface Shared {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly parts: ReadonlySet<string>;
}

/** Pieces are one where at least this share of the parts that want any of them want all. */
const NEARNESS = 0.7;
const MIN_BYTES = 20;

/**
 * For each part the files that it takes along although it could do without: what nearly always comes together becomes one piece, and
 * the few parts that want less of it load a little more.
 */
export function nearPieces({ outputs }: Metafile, first: string): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  for (const { files, parts } of together(sharedPieces(outputs, first)))
    for (const part of parts) near.set(part, [...(near.get(part) ?? []), ...files.filter((file) => file !== part)]);
  return near;
}

function sharedPieces(outputs: Outputs, first: string): readonly Shared[] {
  const parts = Object.entries(outputs).flatMap(([name, { entryPoint }]) =>
    entryPoint === undefined || entryPoint === first ? [] : [{ part: entryPoint, pieces: piecesOf(name, outputs) }],
  );
  const start = piecesOf(pieceOf(first, outputs), outputs);
  return Object.entries(outputs)
    .filter(([name, { entryPoint, bytes }]) => entryPoint === undefined && !start.has(name) && bytes > MIN_BYTES)
    .map(([name, { bytes }]) => ({
      files: filesOf(name, outputs),
      bytes,
      parts: new Set(parts.filter(({ pieces }) => pieces.has(name)).map(({ part }) => part)),
    }))
    .filter(({ files }) => files.length > 0);
}

/** The largest pieces first, each with those that are near to it. */
function together(pieces: readonly Shared[]): readonly Shared[] {
  const groups: Shared[] = [];
  for (const piece of pieces.toSorted((a, b) => b.bytes - a.bytes)) {
    const at = groups.findIndex((group) => nearness(group.parts, piece.parts) >= NEARNESS);
    const group = groups[at];
    if (group === undefined) groups.push(piece);
    else
      groups[at] = {
        files: [...group.files, ...piece.files],
        bytes: group.bytes + piece.bytes,
        parts: new Set([...group.parts, ...piece.parts]),
      };
  }
  return groups;
}

function nearness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((part) => b.has(part)).length;
  return common / (a.size + b.size - common);
}
