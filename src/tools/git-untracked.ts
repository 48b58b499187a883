import type { GitRepository } from '../core/ports.ts';
import { nulItems, plural, readGit } from './git-output.ts';

export interface Untracked {
  readonly names: readonly string[];
  readonly isCut: boolean;
}

/** Untracked files below a repository's folder, or only those at these paths, relative to the root; what ignore files exclude is left out. */
export async function untrackedFiles(
  repository: GitRepository,
  signal: AbortSignal,
  paths: readonly string[] = [],
): Promise<Untracked> {
  const args = ['ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', ...paths];
  const output = await readGit(repository, args, signal);
  return { names: nulItems(output), isCut: output.isCut };
}

/** One name a line; where there are too many, a folder at the top stands for its files, with their number. */
export function listUntracked({ names, isCut }: Untracked, maxLines: number, nameOf: (name: string) => string): string[] {
  const shown = names.map(nameOf);
  const lines = shown.length <= maxLines ? shown : byTopFolder(shown);
  const left = lines.length - maxLines;
  const notes = [...(left > 0 ? [`[${left} more not shown.]`] : []), ...(isCut ? ['[There are more than could be read.]'] : [])];
  return [...lines.slice(0, maxLines), ...notes].map((line) => `  ${line}`);
}

function byTopFolder(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const slash = name.indexOf('/');
    const top = slash === -1 ? name : name.slice(0, slash + 1);
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [...counts].map(([top, count]) => (top.endsWith('/') ? `${top} (${plural(count, 'file')})` : top));
}
