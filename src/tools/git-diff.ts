import { defineTool } from '../core/define-tool.ts';
import type { Tool } from '../core/tool.ts';
import { baseFault } from './git-base-name.ts';
import type { GitDiffInput, GitDiffMetadata } from './git-diff-report.ts';
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
    execute: async (context, input) => (await import('./git-diff-report.ts')).reportDiff(context, input),
  });
}
