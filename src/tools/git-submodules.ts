import { join } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import type { GitRepository } from '../core/ports.ts';
import type { ToolContext } from '../core/tool.ts';
import { nulItems, readGit, readGitIfAny } from './git-output.ts';
import { parseStatus } from './git-status-parse.ts';

/** How many files changed in the work tree of a submodule. */
export interface SubmoduleChange {
  readonly path: string;
  readonly tracked: number;
  readonly untracked: number;
}

export interface SubmoduleChanges {
  readonly changes: readonly SubmoduleChange[];
  /** How many were left aside. */
  readonly notLookedAt: number;
}

const MAX_SUBMODULES = 20;

/**
 * Looks into the submodules of a repository that lie in the workspace. Each is opened by itself:
 * where git looks into one it starts a second git, which would run the filters of that one's configuration.
 */
export async function submoduleChanges(
  { git, cwd, signal }: Pick<ToolContext, 'git' | 'cwd' | 'signal'>,
  repository: GitRepository,
): Promise<SubmoduleChanges> {
  const paths = (await submodulePaths(repository, signal)).filter((path) => isWithin(join(repository.root, path), cwd));
  const changes: SubmoduleChange[] = [];
  for (const path of paths.slice(0, MAX_SUBMODULES)) {
    const opened = await git.open(join(repository.root, path), signal);
    // One that is not checked out is no repository of its own, and a link may lead anywhere.
    if ('refusal' in opened || opened.root !== join(repository.root, path)) continue;
    const change = await changeIn(opened, path, signal);
    if (change.tracked + change.untracked > 0) changes.push(change);
  }
  return { changes, notLookedAt: Math.max(0, paths.length - MAX_SUBMODULES) };
}

/** In words: `2 changed and 1 untracked file in it`. */
export function describeSubmodule({ tracked, untracked }: SubmoduleChange): string {
  const counts = [tracked > 0 ? `${tracked} changed` : null, untracked > 0 ? `${untracked} untracked` : null];
  return `${counts.filter((count) => count !== null).join(' and ')} ${tracked + untracked === 1 ? 'file' : 'files'} in it`;
}

async function submodulePaths(repository: GitRepository, signal: AbortSignal): Promise<string[]> {
  const args = ['config', '-z', '--blob', ':.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`];
  const listing = await readGitIfAny(repository, args, signal);
  // Without .gitmodules there are none.
  return listing === null ? [] : nulItems(listing).map((item) => item.slice(item.indexOf('\n') + 1));
}

async function changeIn(repository: GitRepository, path: string, signal: AbortSignal): Promise<SubmoduleChange> {
  const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
  const { entries, untracked } = parseStatus(await readGit(repository, args, signal));
  return { path, tracked: entries.length, untracked: untracked.length };
}
