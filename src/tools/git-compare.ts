import { join } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import type { GitRepository } from '../core/ports.ts';
import type { DiffBase } from './git-base.ts';
import { type DiffContent, type DiffLimits, DiffReader } from './git-diff-reader.ts';
import { failureText, GIT_TIMEOUT_MS, GitFailure, nulItems, readGit } from './git-output.ts';

/** What is compared: the files or, where `staged`, the index, with a base. */
export interface Comparison {
  readonly repository: GitRepository;
  readonly base: DiffBase;
  readonly staged: boolean;
  readonly signal: AbortSignal;
}

// The same for everyone, whatever their configuration says; and no program of it is run.
const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '-z',
  '--find-renames',
  '-l1000',
  '-O/dev/null',
  '--unified=3',
  '--inter-hunk-context=0',
  '--diff-algorithm=default',
  '--indent-heuristic',
  '--submodule=short',
  // Submodules are looked into apart, see git-submodules.ts.
  '--ignore-submodules=dirty',
];

/** What changed at the opened path. Errors: throws GitFailure where git fails or takes too long. */
export async function readDiff({ repository, base, staged, signal }: Comparison, limits: DiffLimits): Promise<DiffContent> {
  const reader = new DiffReader(limits);
  let hasAll = false;
  const args = [...DIFF, '--raw', '--numstat', '--patch', ...(staged ? ['--cached'] : []), base.id, '--', repository.path];
  const end = await repository.run({
    args,
    timeoutMs: GIT_TIMEOUT_MS,
    signal,
    onOutput: (bytes) => {
      hasAll ||= !reader.add(bytes);
      return !hasAll;
    },
  });
  if (end.timedOut || (end.exitCode !== 0 && !hasAll)) throw new GitFailure(failureText(args, end));
  return reader.finish();
}

/** Names of changed files beside a folder of the repository, relative to its root. */
export async function changedOutside({ repository, base, staged, signal }: Comparison, folder: string): Promise<string[]> {
  if (repository.root === folder) return [];
  const args = [...DIFF, '--name-only', ...(staged ? ['--cached'] : []), base.id, '--', repository.root];
  return nulItems(await readGit(repository, args, signal)).filter((name) => !isWithin(join(repository.root, name), folder));
}

/** True where git tracks anything at the opened path. */
export async function isTracked(repository: GitRepository, signal: AbortSignal): Promise<boolean> {
  return (await readGit(repository, ['ls-files', '-z', '--', repository.path], signal)).text !== '';
}
