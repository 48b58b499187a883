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

/** rg's arguments for what is looked at. Dotfiles are; what ignore files exclude is not, in a git repository or out of one. */
export function scopeArguments(includeIgnored: boolean): string[] {
  if (includeIgnored) return ['--hidden', '--no-ignore'];
  return ['--hidden', '--no-require-git', ...EXCLUDED_FOLDERS.flatMap((name) => ['--glob', `!${name}/`])];
}

/** The scope in words. */
export function scopeNote(includeIgnored: boolean): string {
  if (includeIgnored) return 'Ignored files were looked at too; links were not followed.';
  const names = EXCLUDED_FOLDERS.slice(0, 7).join(', ');
  return `Not looked at: ${names} and the like, and what ignore files exclude (include_ignored looks there too).`;
}

/** rg's complaints about single files, as one sentence, or null. */
export function unreadableNote(stderr: string): string | null {
  const paths = [
    ...stderr.matchAll(/^rg: (.+?): (?:Permission denied|Input\/output error|Is a directory|No such file).*$/gm),
  ].map(([, path]) => path);
  if (paths.length === 0) return null;
  const shown = paths.slice(0, 3).join(', ');
  return `Skipped, not readable: ${shown}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}.`;
}
