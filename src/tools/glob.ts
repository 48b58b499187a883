import { defineTool } from '../core/define-tool.ts';
import type { FindOutcome } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { failForFile } from './file-faults.ts';
import { globMatcher, globTarget } from './glob-pattern.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Finds files by name: **, *, ?, [a-z] and {a,b}; ** crosses folders. "*.ts" looks only in the root itself, "**/*.ts" everywhere below.
Use it to learn what files there are. To search what files contain use Grep; to list a folder's details use Bash (ls -l).
Returns paths relative to the search root, one a line, newest first, at most 200; the answer names the root and says what was not looked at or not shown.
.git, node_modules, vendor and the like, and what ignore files exclude, are left out unless include_ignored is set. Dotfiles are seen.`;

const MAX_FILES = 200;

const INPUT = {
  type: 'object',
  properties: {
    pattern: { type: 'string', description: 'The pattern, for example "src/**/*.ts".' },
    path: { type: 'string', description: 'Absolute path of the folder to search. Default: the project root.' },
    include_ignored: { type: 'boolean', description: 'Look into ignored and excluded folders too. Default false.' },
  },
  required: ['pattern'],
  additionalProperties: false,
} as const;

interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
  readonly include_ignored?: boolean;
}

export interface GlobMetadata {
  readonly root: string;
  readonly total: number;
  readonly shown: number;
}

/** Finds files by name. */
export function createGlobTool(): Tool<GlobInput, GlobMetadata> {
  return defineTool({
    name: 'Glob',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'search',
    aliases: {
      snakeCase: 'glob',
      keys: { query: 'pattern', directory: 'path', dir: 'path', includeIgnored: 'include_ignored' },
      pathKeys: ['path'],
    },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    validateInput: ({ pattern, path }, facts) =>
      patternFault(pattern) ?? (path === undefined ? null : pathFault('path', path, facts)),
    footprint: ({ pattern, path }, { cwd }) => ({
      extent: 'listed',
      reads: [{ kind: 'file', path: globTarget(path ?? cwd, pattern).root }],
      writes: [],
    }),
    subject: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    execute: async (context, input) => {
      const { root, pattern } = globTarget(input.path ?? context.cwd, input.pattern);
      try {
        return await find(context, { root, pattern, includeIgnored: input.include_ignored ?? false });
      } catch (thrown) {
        return failForFile(context.files, root, thrown);
      }
    },
  });
}

function patternFault(pattern: string): string | null {
  if (pattern.trim() === '') return '"pattern" is empty. Use "**/*" for every file.';
  return pattern.includes('\0') ? '"pattern" holds a NUL character, which no name can.' : null;
}

interface Search {
  readonly root: string;
  readonly pattern: string;
  readonly includeIgnored: boolean;
}

async function find(
  { files, search, signal }: ToolContext,
  { root, pattern, includeIgnored }: Search,
): Promise<ToolResult<GlobMetadata>> {
  const { kind } = await files.stat(root);
  if (kind !== 'directory') return fail(`${root} is not a folder. Give the folder to search, or leave path out.`);
  const outcome = await search.find({ root, accepts: globMatcher(pattern), includeIgnored, maxResults: MAX_FILES, signal });
  return succeed(describe(root, pattern, outcome), { root, total: outcome.total, shown: outcome.files.length });
}

function describe(root: string, pattern: string, { files, total, notes }: FindOutcome): string {
  if (total === 0) return `No file matches ${pattern} under ${root}.\n\n${notes.join('\n')}`;
  const left = total - files.length;
  const more = left === 0 ? [] : [`${left} more not shown: narrow the pattern or the path.`];
  const head = `${total} file${total === 1 ? '' : 's'} under ${root}, newest first:`;
  return [head, ...files.map(visibleName), '', ...more, ...notes].join('\n');
}

/** One name a line, also where a name holds a line end. */
function visibleName(path: string): string {
  return path.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
