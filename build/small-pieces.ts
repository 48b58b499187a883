import type { Metafile } from 'esbuild';
import { filesOf, neededBy, pieceOf, piecesOf } from './pieces.ts';

type Outputs = Metafile['outputs'];

const MAX_BYTES = 4000;
/** Node has these anyway when it starts; any other one would be loaded by starts that do not need it. */
const FREE = /^(?:src\/.*\.ts$|builtin:node:(?:fs|path|os|url|process|module|events|buffer)\?)/;

/**
 * The source files of the small pieces that several parts share. A piece costs a start about a millisecond whatever its size, so they
 * are better off in the first one; none of them brings along what does not stand there too.
 */
export function smallPieces({ outputs }: Metafile, first: string): readonly string[] {
  const start = piecesOf(pieceOf(first, outputs), outputs);
  const all = new Set(start);
  for (let before = 0; before < all.size; ) {
    before = all.size;
    for (const name of Object.keys(outputs))
      if (isSmall(name, outputs) && neededBy(name, outputs).every((needed) => all.has(needed))) all.add(name);
  }
  return [...all].filter((name) => !start.has(name)).flatMap((name) => filesOf(name, outputs));
}

function isSmall(name: string, outputs: Outputs): boolean {
  const { entryPoint, bytes = 0, inputs = {} } = outputs[name] ?? {};
  return entryPoint === undefined && bytes <= MAX_BYTES && Object.keys(inputs).every((file) => FREE.test(file));
}
