import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { inlineFiles } from './inline-files.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { nearPieces } from './near-pieces.ts';
import { smallPieces } from './small-pieces.ts';
import { besides, wholePieces } from './whole-pieces.ts';

const root = join(import.meta.dirname, '..');
const outdir = join(root, process.argv[2] ?? 'dist/command');

const options = {
  absWorkingDir: root,
  outdir,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // The ES form of a package: the other one may hide its parts from a bundler (jsonc-parser).
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // It finds its own binary beside itself.
  external: ['@vscode/ripgrep'],
  logLevel: 'warning',
} satisfies BuildOptions;

// One bundle for the command, with a file for each part that is loaded when it is needed. The first pass tells who asks for which part,
// the others which pieces are too small to stand
// alone, and which nearly always come together.
const FIRST = 'src/cli/main.ts';
const command = {
  ...options,
  entryPoints: { wield: join(root, FIRST) },
  splitting: true,
  metafile: true,
  logOverride: { 'ignored-bare-import': 'silent' },
} satisfies BuildOptions;
const parts = await build({ ...command, plugins: [inlineFiles, lazyBuiltins], write: false });
const whole = wholePieces(parts.metafile);
const { metafile } = await build({ ...command, plugins: [inlineFiles, besides(root, whole), lazyBuiltins], write: false });
const atStart = smallPieces(metafile, FIRST);
// Whatever is asked for comes after the start.
const small = new Map([FIRST, ...whole.keys()].map((part) => [part, atStart] as const));
const fewer = await build({ ...command, plugins: [inlineFiles, besides(root, whole, small), lazyBuiltins], write: false });
const near = nearPieces(fewer.metafile, FIRST);
await build({ ...command, plugins: [inlineFiles, besides(root, whole, small, near), lazyBuiltins] });
// A thread starts from a file that keeps its name.
const threads = {
  'plain-worker': join(root, 'src/host/search/plain-worker.ts'),
  'schema-worker': join(root, 'src/mcp/client/schema-worker.ts'),
};
await build({ ...options, entryPoints: threads, splitting: true, plugins: [lazyBuiltins] });

// What an ES import of a Node module costs stands in lazy-builtins.ts.
const guilty = readdirSync(outdir).filter((name) => /from"node:/.test(readFileSync(join(outdir, name), 'utf8')));
if (guilty.length > 0) throw new Error(`an ES import of a Node module stands in ${guilty.join(', ')}`);
