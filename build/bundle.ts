import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'dist/command');

// One bundle for the command, with a chunk for each part that is loaded when it is needed.
await build({
  entryPoints: { wield: join(root, 'src/cli/main.ts') },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minify: true,
  legalComments: 'none',
  // It finds its own binary beside itself.
  external: ['@vscode/ripgrep'],
  // Packages that are CommonJS ask for node's modules by require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

// An ES import of node:http loads all of undici; see docs/decisions/http.md.
const guilty = readdirSync(outdir).filter((name) =>
  /from\s*["'](?:node:)?https?["']/.test(readFileSync(join(outdir, name), 'utf8')),
);
if (guilty.length > 0) throw new Error(`an ES import of node:http stands in ${guilty.join(', ')}`);
