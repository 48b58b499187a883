import { join } from 'node:path';
import type { GitRepository } from '../core/ports.ts';
import { nulItems, readGit } from './git-output.ts';

const MAX_NAMES = 500;
const MAX_NAMED = 5;

/** Says which of these modified names (relative to the root) may only look so, because a filter that they need was not run; null where none. */
export async function filterNote(
  repository: GitRepository,
  names: readonly string[],
  { signal, nameOf }: { readonly signal: AbortSignal; readonly nameOf: (name: string) => string },
): Promise<string | null> {
  if (repository.filters.length === 0 || names.length === 0) return null;
  const asked = names.slice(0, MAX_NAMES);
  const paths = asked.map((name) => join(repository.root, name));
  const items = nulItems(await readGit(repository, ['check-attr', '-z', 'filter', '--', ...paths], signal));
  // For each path in turn: the path, the attribute, its value.
  const affected = asked.filter((_name, i) => repository.filters.includes(items[3 * i + 2] ?? ''));
  if (affected.length === 0) return null;
  const filters = [...new Set(asked.map((_name, i) => items[3 * i + 2] ?? ''))].filter((value) =>
    repository.filters.includes(value),
  );
  const more = affected.length > MAX_NAMED ? ` and ${affected.length - MAX_NAMED} more` : '';
  return `No filter is run here (${filters.join(', ')}), so these may only look modified: ${affected.slice(0, MAX_NAMED).map(nameOf).join(', ')}${more}.`;
}
