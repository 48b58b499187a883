import type { Entry } from './entry.ts';
import { iniEntries } from './ini-entries.ts';
import { jsonEntries } from './json-entries.ts';
import { lineEntries } from './line-entries.ts';
import { yamlEntries } from './yaml-entries.ts';

/** The values of a file by the format that its name tells. `firstLine` is the number of the first of `lines`. */
export function entriesOf(path: string, lines: readonly string[], firstLine: number): readonly Entry[] {
  const extension = path.toLowerCase().split(/[./]/).at(-1) ?? '';
  const entries = parserFor(extension, path)(lines);
  return firstLine === 1 ? entries : entries.map((entry) => ({ ...entry, line: entry.line + firstLine - 1 }));
}

function parserFor(extension: string, path: string): (lines: readonly string[]) => readonly Entry[] {
  if (/^(?:json[c5]?|webmanifest|ipynb)$/.test(extension) || /\.(?:prettierrc|babelrc|eslintrc|swcrc)$/.test(path))
    return jsonEntries;
  if (/^ya?ml$/.test(extension)) return yamlEntries;
  if (/^(?:toml|ini|cfg|conf|properties|env|editorconfig|npmrc)$/.test(extension) || /(?:^|\/)\.env/.test(path))
    return iniEntries;
  return lineEntries;
}
