import { join } from 'node:path';
import { defineTool } from '../core/define-tool.ts';
import type { GitRepository } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { baseFault, resolveBase } from './git-base.ts';
import { changedOutside, isTracked, readDiff } from './git-compare.ts';
import type { DiffContent, FileChange } from './git-diff-reader.ts';
import { DIFF_LIMITS, describeDiff } from './git-diff-text.ts';
import { filterNote } from './git-filters.ts';
import { GitFailure, nameFrom, openRepository } from './git-output.ts';
import { submoduleChanges } from './git-submodules.ts';
import { untrackedFiles } from './git-untracked.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Shows what changed in the project's git repository, as a unified diff: by default all that differs from the last commit, staged or not.
Use it to check your edits and before a commit. For names only use GitStatus; for a file as it is now use ReadFile; for history and ranges of commits use Bash (git log, git show).
Returns the changed files with their counts first, then each file's lines. Long diffs are shortened file by file, so that small edits stay visible, and what was left out is named: give path to see more of one. Binaries and submodules take one line; untracked files are listed by name. Names are relative to the project root. Nothing that the repository configures (external diff, textconv, filters, pager) is run.`;

const INPUT = {
  type: 'object',
  properties: {
    staged: { type: 'boolean', description: 'Only what is staged. Default false.' },
    path: { type: 'string', description: 'Absolute path of one file or folder. Default: the project root.' },
    base: { type: 'string', description: 'Commit, branch or tag to compare with. Default: the last commit.' },
  },
  additionalProperties: false,
} as const;

interface GitDiffInput {
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

/** Shows what changed, line by line. */
export function createGitDiffTool(): Tool<GitDiffInput, GitDiffMetadata> {
  return defineTool({
    name: 'GitDiff',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'git',
    aliases: {
      snakeCase: 'git_diff',
      keys: { cached: 'staged', file: 'path', file_path: 'path', ref: 'base', commit: 'base' },
      pathKeys: ['path'],
    },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    validateInput: ({ path, base }, facts) =>
      (path === undefined ? null : pathFault('path', path, facts)) ?? (base === undefined ? null : baseFault(base)),
    footprint: ({ path }, { cwd }) => ({ extent: 'listed', reads: [{ kind: 'file', path: path ?? cwd }], writes: [] }),
    subject: ({ staged, path, base }) =>
      [
        staged === true ? 'staged changes' : 'changes',
        base === undefined ? null : `since ${base}`,
        path === undefined ? null : `in ${path}`,
      ]
        .filter((part) => part !== null)
        .join(' '),
    execute: async (context, input) => {
      try {
        return await diff(context, input);
      } catch (thrown) {
        if (thrown instanceof GitFailure) return fail(thrown.message);
        throw thrown;
      }
    },
  });
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
