import { join } from 'node:path';
import type { GitRepository } from '../core/ports.ts';
import type { ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { resolveBase } from './git-base.ts';
import { changedOutside, isTracked, readDiff } from './git-compare.ts';
import type { DiffContent, FileChange } from './git-diff-reader.ts';
import { DIFF_LIMITS, describeDiff } from './git-diff-text.ts';
import { filterNote } from './git-filters.ts';
import { GitFailure, nameFrom, openRepository } from './git-output.ts';
import { submoduleChanges } from './git-submodules.ts';
import { untrackedFiles } from './git-untracked.ts';

export interface GitDiffInput {
  readonly staged?: boolean;
  readonly path?: string;
  readonly base?: string;
}

export interface GitDiffMetadata {
  readonly root: string;
  readonly base: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly untracked: number;
}

/** What changed, as a model and a program see it. */
export async function reportDiff(context: ToolContext, input: GitDiffInput): Promise<ToolResult<GitDiffMetadata>> {
  try {
    return await diff(context, input);
  } catch (thrown) {
    if (thrown instanceof GitFailure) return fail(thrown.message);
    throw thrown;
  }
}

async function diff(context: ToolContext, input: GitDiffInput): Promise<ToolResult<GitDiffMetadata>> {
  const { cwd, git, signal } = context;
  const { path, staged = false } = input;
  const repository = await openRepository(git, path ?? cwd, signal);
  const base = await resolveBase(repository, input.base ?? null, signal);
  const comparison = { repository, base, staged, signal };
  const [content, untracked, submodules, outside] = await Promise.all([
    readDiff(comparison, DIFF_LIMITS),
    staged ? NOTHING_UNTRACKED : untrackedFiles(repository, signal, [repository.path]),
    staged ? NO_SUBMODULES : submoduleChanges(context, repository),
    path === undefined ? changedOutside(comparison, cwd) : [],
  ]);
  const isEmpty = content.totals.files + untracked.names.length === 0;
  if (path !== undefined && isEmpty && !(await isTracked(repository, signal)))
    return fail(
      `git knows no file at ${path}: it is ignored, empty, or does not exist. Find the name with Glob, or see GitStatus.`,
    );
  const modified = staged ? [] : content.changes.filter(({ letter }) => letter === 'M').map((change) => change.path);
  const { shown, withheld } = withoutWithheld(repository, content);
  const note = await filterNote(repository, modified, { signal, nameOf: nameFrom(cwd, repository.root) });
  return succeed(
    describeDiff({ cwd, repository, base, input, content: shown, withheld, untracked, submodules, outside, filterNote: note }),
    {
      root: repository.root,
      base: base.id,
      ...content.totals,
      untracked: untracked.names.length,
    },
  );
}

/** The changes without the lines of files that may hold secrets, and the names of those. */
function withoutWithheld(
  repository: GitRepository,
  content: DiffContent,
): { readonly shown: DiffContent; readonly withheld: readonly string[] } {
  const isWithheld = ({ path, oldPath }: FileChange): boolean =>
    [path, oldPath].some((name) => name !== null && repository.withholds(join(repository.root, name)));
  const withheld = content.changes.filter(isWithheld).map(({ path }) => path);
  const patches = content.patches.map((patch, i) => {
    const change = content.changes[i];
    return change !== undefined && isWithheld(change) ? NO_LINES : patch;
  });
  return { shown: { ...content, patches }, withheld };
}

const NO_LINES = { lines: [], totalLines: 0 };
const NOTHING_UNTRACKED = { names: [], isCut: false };
const NO_SUBMODULES = { changes: [], notLookedAt: 0 };
