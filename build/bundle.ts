import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.ts';

const root = join(import.meta.dirname, '..');
const outdir = join(root, process.argv[2] ?? 'dist/command');

// One bundle for the command, with a chunk for each part that is loaded when it is needed. The entry of a thread keeps its name.
await build({
  entryPoints: { wield: join(root, 'src/cli/main.ts'), 'plain-worker': join(root, 'src/host/search/plain-worker.ts') },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // The ES form of a package: the other one may hide its parts from a bundler (jsonc-parser).
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // It finds its own binary beside itself.
  external: ['@vscode/ripgrep'],
  plugins: [lazyBuiltins],
  logLevel: 'warning',
});

// What an ES import of a Node module costs stands in lazy-builtins.ts.
const guilty = readdirSync(outdir).filter((name) => /from"node:/.test(readFileSync(join(outdir, name), 'utf8')));
if (guilty.length > 0) throw new Error(`an ES import of a Node module stands in ${guilty.join(', ')}`);
