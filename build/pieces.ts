import type { Metafile } from 'esbuild';

type Outputs = Metafile['outputs'];

/** The pieces that come with one, and it. */
export function piecesOf(name: string, outputs: Outputs, reached = new Set<string>()): Set<string> {
  if (reached.has(name)) return reached;
  reached.add(name);
  for (const needed of neededBy(name, outputs)) piecesOf(needed, outputs, reached);
  return reached;
}

/** The pieces that one imports itself. */
export function neededBy(name: string, outputs: Outputs): readonly string[] {
  const imports = outputs[name]?.imports ?? [];
  return imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true).map(({ path }) => path);
}

/** The source files of ours in a piece. */
export function filesOf(name: string, outputs: Outputs): readonly string[] {
  return Object.keys(outputs[name]?.inputs ?? {}).filter((file) => OWN.test(file));
}
const OWN = /^src\/.*\.ts$/;

/** The piece that starts with a file. Errors: throws where none does. */
export function pieceOf(first: string, outputs: Outputs): string {
  const start = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === first);
  if (start === undefined) throw new Error(`nothing starts with ${first}`);
  return start;
}
