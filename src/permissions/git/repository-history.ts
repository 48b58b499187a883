import { join } from 'node:path';
import type { GitRepository } from '../../core/ports.ts';
import { gitFields } from './git-fields.ts';

// A long past is not waited for; docs/security.md says so.
const TIMEOUT_MS = 3000;
// Each is the past of one repository at one time.
const MAX_KEPT = 20;
// A merge may bring in what none of its parents has: it is compared with each.
const NAMES = ['--format=', '-m', '--name-only', '--no-renames', '--diff-filter=A', '--root', '--no-show-signature', '-z'];

/**
 * The files that any commit of a repository brought in, by the path that they had, also where they are gone since.
 * `kept` holds what was found, for as long as its references and their logs stay as they are. Null where looking fails or takes too long.
 */
export async function namesInHistory(
  repository: GitRepository,
  kept: Map<string, readonly string[]>,
): Promise<readonly string[] | null> {
  const tips = await tipsOf(repository);
  if (tips === null || tips === '') return tips === null ? null : [];
  const key = `${repository.root}\n${tips}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const fields = await quickly(repository, ['log', '--all', '--reflog', ...NAMES]);
  if (fields === null) return null;
  const names = [...new Set(fields)].filter((name) => name !== '').map((name) => join(repository.root, name));
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, names);
  return names;
}

/** Whether a word is a commit or a tag; an object of another kind may be in no commit, so that nothing tells its name. False where that is not known. */
export async function isCommit(repository: GitRepository, word: string): Promise<boolean> {
  return (await quickly(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`])) !== null;
}

/** Every commit that a reference names or has named: what was reset away can still be shown. Empty where there is none, null where that is not known. */
async function tipsOf(repository: GitRepository): Promise<string | null> {
  const tips = await quickly(repository, ['log', '--all', '--reflog', '--no-walk', '--no-show-signature', '--format=%H', '-z']);
  return tips?.join(' ') ?? null;
}

async function quickly(repository: GitRepository, args: readonly string[]): Promise<readonly string[] | null> {
  return gitFields(repository, args, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null);
}
