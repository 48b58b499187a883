import type { GitRepository } from '../core/ports.ts';
import { GitFailure, readGit, readGitIfAny } from './git-output.ts';

/** What the files are compared with. `id` is a commit, or the empty tree before the first one. */
export interface DiffBase {
  readonly id: string;
  readonly isUnborn: boolean;
}

const MAX_NAMES = 10;

/** Finds the commit. Errors: throws GitFailure where there is none of that name. */
export async function resolveBase(repository: GitRepository, base: string | null, signal: AbortSignal): Promise<DiffBase> {
  const id = await commitOf(repository, base ?? 'HEAD', signal);
  if (id !== null) return { id, isUnborn: false };
  if (base !== null) throw new GitFailure(await unknownBase(repository, base, signal));
  const { text } = await readGit(repository, ['hash-object', '-t', 'tree', '--no-filters', '/dev/null'], signal);
  return { id: text.trim(), isUnborn: true };
}

async function commitOf(repository: GitRepository, name: string, signal: AbortSignal): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return (await readGitIfAny(repository, args, signal))?.text.trim() ?? null;
}

async function unknownBase(repository: GitRepository, base: string, signal: AbortSignal): Promise<string> {
  const args = ['for-each-ref', `--count=${MAX_NAMES}`, '--sort=-creatordate', '--format=%(refname:short)'];
  const names = (await readGit(repository, args, signal)).text.split('\n').filter((name) => name !== '');
  const next = names.length === 0 ? 'It has no branches or tags yet.' : `Newest branches and tags: ${names.join(', ')}.`;
  return `There is no commit "${base}" in this repository. ${next} Give one of them, a commit id, or HEAD~1; leave base out for the last commit.`;
}
