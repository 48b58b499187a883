import ignore from 'ignore';

/** Chooses files by a glob as rg's `--glob` does: by the rules of ignore files, turned round. Paths are relative to the root of the search. */
export interface GlobFilter {
  acceptsFile(path: string): boolean;
  acceptsFolder(path: string): boolean;
}

const MAX_ALTERNATIVES = 1000;

/**
 * Reads a glob: without a slash it is about names at any depth, with one about paths from the root; a `!` in front leaves out what matches.
 * A fault says why it cannot be read.
 */
export function parseGlobFilter(glob: string): GlobFilter | { readonly fault: string } {
  const isExclusion = glob.startsWith('!');
  const expanded = expandBraces(isExclusion ? glob.slice(1) : glob);
  if ('fault' in expanded) return { fault: `error parsing glob '${glob}': ${expanded.fault}` };
  const rules = ignore({ ignorecase: false }).add(expanded.globs.map(withoutMeaning));
  if (isExclusion) return { acceptsFile: (path) => !rules.ignores(path), acceptsFolder: (path) => !rules.ignores(`${path}/`) };
  const isAboutNames = expanded.globs.every((alternative) => !alternative.includes('/'));
  // A folder that matches chooses nothing of what is in it.
  const subject = isAboutNames ? (path: string) => path.slice(path.lastIndexOf('/') + 1) : (path: string) => path;
  return { acceptsFile: (path) => rules.ignores(subject(path)), acceptsFolder: () => true };
}

/** A `#` or `!` in the first place is part of a glob, though not of a line in an ignore file. */
function withoutMeaning(glob: string): string {
  return /^[#!]/.test(glob) ? `\\${glob}` : glob;
}

type Expansion = { readonly globs: readonly string[] } | { readonly fault: string };

/** `{a,b}` becomes two globs, which ignore files do not have. */
function expandBraces(glob: string): Expansion {
  let globs = [''];
  const outer: { readonly heads: string[]; readonly done: string[] }[] = [];
  for (const [text] of glob.matchAll(/\\.|\[!?\]?(?:\\.|[^\]])*\]|[^]/gu)) {
    const group = outer.at(-1);
    if (text === '[') return { fault: 'unclosed character class; missing ]' };
    if (text === '{') {
      outer.push({ heads: globs, done: [] });
      globs = [''];
    } else if (text === '}') {
      if (group === undefined) return { fault: "unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)" };
      outer.pop();
      // To rg an empty alternative is none.
      const tails = [...group.done, ...globs].filter((tail) => tail !== '');
      globs = group.heads.flatMap((head) => tails.map((tail) => head + tail));
      if (globs.length > MAX_ALTERNATIVES) return { fault: `more than ${MAX_ALTERNATIVES} alternatives` };
    } else if (text === ',' && group !== undefined) {
      group.done.push(...globs);
      globs = [''];
    } else globs = globs.map((head) => head + text);
  }
  if (outer.length > 0) return { fault: "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)" };
  return { globs };
}
