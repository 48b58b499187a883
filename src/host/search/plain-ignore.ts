import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The ignore files of one folder, and those of the folders above it. */
export interface IgnoreLevel {
  /** A real path. */
  readonly folder: string;
  /** By kind, as in RULE_FILES. */
  readonly rules: readonly (Ignore | null)[];
  readonly above: IgnoreLevel | null;
}

// The first kind that knows a path decides, whatever the depth. Outside of a repository, and above one, they hold as well, as they do for
// rg with --no-require-git. Source: the crate ignore 0.4, dir.rs, matched_ignore
export const RULE_FILES = ['.rgignore', '.ignore', '.gitignore', '.git/info/exclude'] as const;

/** The level of a folder. `names` are those in it, where they are known. */
export function readIgnoreLevel(folder: string, above: IgnoreLevel | null, names: ReadonlySet<string> | null): IgnoreLevel {
  const has = (name: string): boolean => names?.has(name) ?? existsSync(`${folder}/${name}`);
  const rules = RULE_FILES.map((file) => (has(file.startsWith('.git/') ? '.git' : file) ? readRules(`${folder}/${file}`) : null));
  return { folder, rules, above };
}

/** The levels above a folder that is searched. Rules that ignore this folder itself do not hold: it was asked for. */
export function levelAbove(folder: string): IgnoreLevel | null {
  const parent = dirname(folder);
  if (parent === folder) return null;
  return withoutRulesOn(folder, readIgnoreLevel(parent, levelAbove(parent), null));
}

/** A level without the rules that ignore a folder in it. */
export function withoutRulesOn(folder: string, level: IgnoreLevel): IgnoreLevel {
  const ignoresIt = (rules: Ignore): boolean => rules.test(`${pathBelow(level, folder)}/`).ignored;
  return { ...level, rules: level.rules.map((rules) => (rules === null || ignoresIt(rules) ? null : rules)) };
}

/** Whether ignore files exclude a real path. */
export function isIgnored(level: IgnoreLevel, path: string, isFolder: boolean): boolean {
  for (const kind of RULE_FILES.keys()) {
    for (let at: IgnoreLevel | null = level; at !== null; at = at.above) {
      const verdict = at.rules[kind]?.test(`${pathBelow(at, path)}${isFolder ? '/' : ''}`);
      if (verdict?.ignored === true) return true;
      if (verdict?.unignored === true) return false;
    }
  }
  return false;
}

function pathBelow({ folder }: IgnoreLevel, path: string): string {
  return path.slice(folder.endsWith('/') ? folder.length : folder.length + 1);
}

/** The rules that the text of an ignore file holds. */
export function parseRules(text: string): Ignore {
  return ignore({ ignorecase: false }).add(text.replace(/^\ufeff/, ''));
}

function readRules(path: string): Ignore | null {
  try {
    return parseRules(readFileSync(path, 'utf8'));
  } catch {
    // Not there, or not readable: then it excludes nothing.
    return null;
  }
}
