import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { ImportKind, Metafile, Plugin } from 'esbuild';

type Inputs = Metafile['inputs'];
type Files = ReadonlySet<string>;

const OWN = /^src\/.*\.ts$/;

/**
 * esbuild makes a file of its own from what any two parts have in common, and each file costs a start about a millisecond. But a part
 * that is loaded when it is needed never comes first: whoever asks for it stands there by then, with all that it imports. This tells,
 * for each part, the files of ours that are there before it.
 */
export function wholePieces({ inputs }: Metafile): ReadonlyMap<string, readonly string[]> {
  return new Map([...loadedBefore(inputs)].map(([part, files]) => [part, [...files].filter((file) => OWN.test(file))]));
}

/** Tells esbuild what stands beside a file: it imports each, for an effect that there is not. */
export function besides(root: string, ...pieces: readonly ReadonlyMap<string, readonly string[]>[]): Plugin {
  return {
    name: 'besides',
    setup(build) {
      build.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => {
        const files = pieces.flatMap((beside) => beside.get(relative(root, path)) ?? []);
        if (files.length === 0) return null;
        const imports = files.map((file) => `import ${JSON.stringify(resolve(root, file))};`);
        return { contents: `${readFileSync(path, 'utf8')}\n${imports.join('\n')}`, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** For each part the files that are there whenever somebody asks for it. */
function loadedBefore(inputs: Inputs): ReadonlyMap<string, Files> {
  const askers = askersOf(inputs, 'dynamic-import');
  // A part that others also import at once is there as soon as they are: all that may come before it is what came before them.
  const importers = askersOf(inputs, 'import-statement');
  const parts = new Map([...askers.keys()].map((part) => [part, reachOf(part, inputs)]));
  // Everything at first, and less with each turn, until nothing changes.
  let before = new Map<string, Files>([...askers].map(([part, { length }]) => [part, length === 0 ? new Set() : allOf(inputs)]));
  for (;;) {
    const beside = (file: string): [Files, Files][] =>
      [...parts].filter(([, files]) => files.has(file)).map(([part, files]) => [files, before.get(part) ?? new Set()]);
    const ways = (part: string, by: readonly string[]): Files[] => [
      ...by.flatMap(beside).map(([files, earlier]) => new Set([...files, ...earlier])),
      ...(importers.get(part) ?? []).flatMap(beside).map(([, earlier]) => earlier),
    ];
    const next = new Map([...askers].map(([part, by]) => [part, intersection(ways(part, by))]));
    if ([...next].every(([part, files]) => files.size === before.get(part)?.size)) return withoutFirst(next, askers);
    before = next;
  }
}

/** Every part, and who asks for it in this way: nobody for the first. */
function askersOf(inputs: Inputs, way: ImportKind): ReadonlyMap<string, readonly string[]> {
  const imports = Object.entries(inputs).flatMap(([file, input]) => input.imports.map((wanted) => ({ ...wanted, file })));
  const inner = imports.filter(({ external }) => external !== true);
  const first = Object.keys(inputs).filter((file) => inner.every(({ path }) => path !== file));
  const parts = inner.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path);
  const askersOfPart = (part: string): string[] =>
    inner.filter(({ kind, path }) => kind === way && path === part).map(({ file }) => file);
  return new Map([...first, ...parts].map((part) => [part, askersOfPart(part)]));
}

/** A file and all that it loads at once. */
function reachOf(file: string, inputs: Inputs, reached = new Set<string>()): Files {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const { kind, external, path } of inputs[file]?.imports ?? [])
    if (kind !== 'dynamic-import' && external !== true) reachOf(path, inputs, reached);
  return reached;
}

/** The first part waits for the others, so none of them may wait for it. */
function withoutFirst(
  before: ReadonlyMap<string, Files>,
  askers: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Files> {
  const first = new Set([...askers].filter(([, by]) => by.length === 0).map(([part]) => part));
  return new Map([...before].map(([part, files]) => [part, without(files, first)]));
}

function allOf(inputs: Inputs): Files {
  return new Set(Object.keys(inputs));
}

function intersection([one, ...others]: readonly Files[]): Files {
  return others.reduce<Files>((all, files) => new Set([...all].filter((file) => files.has(file))), one ?? new Set());
}

function without(files: Files, others: Files): Files {
  return new Set([...files].filter((file) => !others.has(file)));
}
