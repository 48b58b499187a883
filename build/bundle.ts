import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { inlineFiles } from './inline-files.ts';
import { lazyBuiltins } from './lazy-builtins.ts';
import { wholePieces } from './whole-pieces.ts';

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

// One bundle for the command, with a file for each part that is loaded when it is needed. The first pass tells who asks for which part.
const command = { ...options, entryPoints: { wield: join(root, 'src/cli/main.ts') }, splitting: true };
const { metafile } = await build({ ...command, plugins: [inlineFiles, lazyBuiltins], metafile: true, write: false });
await build({
  ...command,
  plugins: [inlineFiles, wholePieces(metafile, root), lazyBuiltins],
  logOverride: { 'ignored-bare-import': 'silent' },
});
// A thread starts from a file that keeps its name.
const threads = {
  'plain-worker': join(root, 'src/host/search/plain-worker.ts'),
  'schema-worker': join(root, 'src/mcp/client/schema-worker.ts'),
};
await build({ ...options, entryPoints: threads, splitting: true, plugins: [lazyBuiltins] });

// What an ES import of a Node module costs stands in lazy-builtins.ts.
const guilty = readdirSync(outdir).filter((name) => /from"node:/.test(readFileSync(join(outdir, name), 'utf8')));
if (guilty.length > 0) throw new Error(`an ES import of a Node module stands in ${guilty.join(', ')}`);
