import type { ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { filterNote } from './git-filters.ts';
import { GitFailure, nameFrom, openRepository, readGit } from './git-output.ts';
import { parseStatus, type StatusReport } from './git-status-parse.ts';
import { describeStatus } from './git-status-text.ts';
import { submoduleChanges } from './git-submodules.ts';
import { type Untracked, untrackedFiles } from './git-untracked.ts';

export interface GitStatusMetadata {
  readonly root: string;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly conflicts: number;
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
}

/** The state of the repository, as a model and a program see it. */
export async function reportStatus(context: ToolContext): Promise<ToolResult<GitStatusMetadata>> {
  try {
    return await status(context);
  } catch (thrown) {
    if (thrown instanceof GitFailure) return fail(thrown.message);
    throw thrown;
  }
}

// Submodules are looked into apart, see git-submodules.ts.
const STATUS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--ahead-behind',
  '--find-renames',
  '--ignore-submodules=dirty',
  '--untracked-files=no',
];

async function status(context: ToolContext): Promise<ToolResult<GitStatusMetadata>> {
  const { cwd, git, signal } = context;
  const repository = await openRepository(git, cwd, signal);
  const [output, untracked, submodules] = await Promise.all([
    readGit(repository, STATUS, signal),
    untrackedFiles(repository, signal),
    submoduleChanges(context, repository),
  ]);
  const report = parseStatus(output);
  const modified = report.entries.filter((entry) => entry.unstaged === 'M' && !entry.isSubmodule).map(({ path }) => path);
  const note = await filterNote(repository, modified, { signal, nameOf: nameFrom(cwd, repository.root) });
  return succeed(
    describeStatus({ cwd, repository, report, untracked, submodules, filterNote: note }),
    metadata(repository.root, report, untracked),
  );
}

function metadata(root: string, { branch, commit, entries }: StatusReport, untracked: Untracked): GitStatusMetadata {
  const settled = entries.filter((entry) => !entry.isConflict);
  return {
    root,
    branch,
    commit,
    conflicts: entries.length - settled.length,
    staged: settled.filter((entry) => entry.staged !== '.').length,
    unstaged: settled.filter((entry) => entry.unstaged !== '.').length,
    untracked: untracked.names.length,
  };
}
