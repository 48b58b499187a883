import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, transformSync } from 'esbuild';

const READ = /readFileSync\(new URL\('(\.\/[^']+\.(css|js))', import\.meta\.url\), 'utf8'\)/g;

/** Puts the text of a file in place of the call that reads it: a bundle has no files beside its modules. */
export const inlineFiles: Plugin = {
  name: 'inline-files',
  setup(build) {
    build.onLoad({ filter: /[\\/]page-files\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(READ, (_call, name: string, kind: string) =>
        JSON.stringify(smaller(readFileSync(join(dirname(path), name), 'utf8'), kind)),
      ),
    }));
  },
};

/** Without comments and spaces. The names of a script stay, since its files know each other by them. */
function smaller(text: string, kind: string): string {
  const loader = kind === 'css' ? 'css' : 'js';
  return transformSync(text, { loader, minifyWhitespace: true, minifySyntax: true, charset: 'utf8' }).code;
}
