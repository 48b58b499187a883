import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold no source of the project's own. */
export const EXCLUDED_FOLDERS = [
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'vendor',
  '.idea',
  '__pycache__',
  '.venv',
  '.mypy_cache',
  '.pytest_cache',
] as const;

const EXCLUDED: ReadonlySet<string> = new Set(EXCLUDED_FOLDERS);

/** rg's arguments for what is looked at. Dotfiles are; what ignore files exclude is not, in a git repository or out of one. */
export function scopeArguments(includeIgnored: boolean): string[] {
  if (includeIgnored) return ['--hidden', '--no-ignore'];
  return ['--hidden', '--no-require-git', ...EXCLUDED_FOLDERS.flatMap((name) => ['--glob', `!${name}/`])];
}

/** The scope in words; `also` names what else is left out. */
export function scopeNote(includeIgnored: boolean, also: readonly string[] = []): string {
  const left = [...also, ...(includeIgnored ? [] : EXCLUDED_FOLDERS.slice(0, 7))].join(', ');
  if (!includeIgnored)
    return `Not looked at: ${left} and the like, what ignore files exclude (include_ignored looks there too), and what links lead to.`;
  return `Ignored files were looked at too. Not looked at: ${left === '' ? '' : `${left}, and `}what links lead to.`;
}

/** What rg complained of and went on, in sentences: files that it could not read, then anything else. */
export function complaintNotes(stderr: string): string[] {
  const complaints = [...stderr.matchAll(/^rg: (.+)$/gm)].map(([, text = '']) => text.replace(/^\.\//, ''));
  const paths = complaints.flatMap((text) => UNREADABLE.exec(text)?.[1] ?? []);
  const others = complaints.filter((text) => !UNREADABLE.test(text));
  return [
    paths.length === 0 ? null : `Skipped, not readable: ${someOf(paths)}.`,
    others.length === 0 ? null : `The search complained: ${someOf(others)}.`,
  ].filter((note) => note !== null);
}

// With one thread rg tells it at more length.
const UNREADABLE =
  /^(.+?): (?:IO error for operation on [\s\S]+?: )?(?:Permission denied|Input\/output error|Is a directory|No such file).*$/;

/** Names are text to a model; one that is no UTF-8 cannot be told exactly. */
export function oddNamesNote(paths: readonly string[]): string | null {
  const odd = paths.filter((path) => path.includes('\ufffd')).length;
  if (odd === 0) return null;
  return `Names that are no UTF-8 and stand here with \ufffd: ${odd}. Only Bash reaches those files, with a wildcard in place of each \ufffd.`;
}

/** A pattern is searched as UTF-8; what an older encoding makes of its letters is other bytes. */
export function otherEncodingsNote(pattern: string): string | null {
  const isPlain = /^[\0-\u007f]*$/.test(pattern);
  return isPlain
    ? null
    : 'Files that are neither UTF-8 nor UTF-16 are searched as bytes: letters outside of ASCII are not found in them.';
}

function someOf(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(', ');
  return items.length > 3 ? `${shown} and ${items.length - 3} more` : shown;
}

/** The folder below the root from which rg must start to get there through a link, since it follows none that it meets; or the root. */
export async function startFolder(root: string, below: string, includeIgnored: boolean): Promise<string> {
  const names = below.split('/').filter((name) => name !== '');
  if (!includeIgnored && names.some((name) => EXCLUDED.has(name))) return './';
  for (let depth = 1; depth <= names.length; depth++) {
    const stats = await lstat(join(root, ...names.slice(0, depth))).catch(() => null);
    if (stats === null) return './';
    if (stats.isSymbolicLink()) return `./${names.join('/')}/`;
  }
  return './';
}
