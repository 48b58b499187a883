import { defineTool } from '../core/define-tool.ts';
import type { Tool } from '../core/tool.ts';
import type { GitStatusMetadata } from './git-status-report.ts';

const DESCRIPTION = `Shows the state of the project's git repository: branch, upstream, and what is in conflict, staged, not staged and untracked.
It also says how far the branch is from its upstream, whether HEAD is detached, and what is in progress (merge, rebase, cherry-pick, revert, bisect).
Use it before and after changes, and before a commit. For the changed lines use GitDiff; for history (git log, git show) and everything that changes the repository use Bash.
Returns one name a line, in full and unquoted, relative to the project root, which the answer names; a rename as OLD → NEW; at most 200 names a section, the rest counted. Ignored files are not listed. Nothing that the repository configures (hooks, filters, fsmonitor) is run.`;

const INPUT = { type: 'object', properties: {}, additionalProperties: false } as const;

/** Shows the state of the repository. */
export function createGitStatusTool(): Tool<object, GitStatusMetadata> {
  return defineTool({
    name: 'GitStatus',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'git',
    aliases: { snakeCase: 'git_status' },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    footprint: (_input, { cwd }) => ({ extent: 'listed', reads: [{ kind: 'file', path: cwd }], writes: [] }),
    subject: () => 'the repository',
    execute: async (context) => (await import('./git-status-report.ts')).reportStatus(context),
  });
}
