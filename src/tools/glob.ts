import { join } from 'node:path';
import { defineTool } from '../core/define-tool.ts';
import type { FileAccess, FileStat, FindOutcome, FindRequest, SearchAccess } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { failForFile } from './file-faults.ts';
import { bracketSegments, globMatcher } from '../core/glob-matcher.ts';
import { type GlobTarget, globTarget } from './glob-pattern.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Finds files by name: **, *, ?, [a-z] and {a,b}; ** crosses folders; a backslash makes the next character stand for itself. "*.ts" looks only in the root itself, "**/*.ts" everywhere below.
Use it to learn what files there are. To search what files contain use Grep; to list a folder's details use Bash (ls -l).
Returns paths relative to the search root, one a line, newest first, at most 200; the answer names the root and says what was not looked at or not shown.
.git, node_modules, vendor and the like, and what ignore files exclude, are left out unless include_ignored is set. Dotfiles are seen.`;

const MAX_FILES = 200;
const MAX_PATTERN_CHARS = 4000;

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
    footprint: ({ pattern, path }, { cwd }) => {
      const { root, below } = globTarget(path ?? cwd, pattern);
      // The folder below may be a link that leads elsewhere.
      const folders = below === '' ? [root] : [root, join(root, below)];
      return { extent: 'listed', reads: folders.map((folder) => ({ kind: 'file', path: folder })), writes: [] };
    },
    subject: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    execute: async (context, input) => {
      const target = globTarget(input.path ?? context.cwd, input.pattern);
      try {
        return await find(context, target, input.include_ignored ?? false);
      } catch (thrown) {
        context.signal.throwIfAborted();
        return failForFile(context.files, target.root, thrown);
      }
    },
  });
}

function patternFault(pattern: string): string | null {
  if (pattern.trim() === '') return '"pattern" is empty. Use "**/*" for every file.';
  if (pattern.length > MAX_PATTERN_CHARS) return `"pattern" is longer than ${MAX_PATTERN_CHARS} characters. Use a shorter one.`;
  return pattern.includes('\0') ? '"pattern" holds a NUL character, which no name can.' : null;
}

async function find(context: ToolContext, target: GlobTarget, includeIgnored: boolean): Promise<ToolResult<GlobMetadata>> {
  const { files, search, signal } = context;
  const { root, pattern, below } = target;
  const { kind } = await files.stat(root);
  if (kind !== 'directory') return fail(`${root} is not a folder. Give the folder to search, or leave path out.`);
  const named = await kindAt(files, join(root, pattern));
  if (named === 'file') return succeed(`1 file under ${root}:\n${visibleName(pattern)}`, { root, total: 1, shown: 1 });
  const request = { root, below, includeIgnored, signal };
  const names = await bracketNames(search, request, pattern);
  const outcome = await search.find({ ...request, accepts: globMatcher(pattern, names), maxResults: MAX_FILES });
  const hint = named === 'directory' ? ` It is a folder: "${join(pattern, '**')}" finds what is in it.` : '';
  return succeed(describe(target, outcome, hint), { root, total: outcome.total, shown: outcome.files.length });
}

async function kindAt(files: FileAccess, path: string): Promise<FileStat['kind'] | null> {
  try {
    return (await files.stat(path)).kind;
  } catch {
    // Not a path, or not one that this call may look at: then it is a pattern only.
    return null;
  }
}

/** Which segments with brackets are the name of a folder or file, and so no class. */
async function bracketNames(
  search: SearchAccess,
  request: Omit<FindRequest, 'accepts' | 'maxResults'>,
  pattern: string,
): Promise<ReadonlySet<string>> {
  const candidates = bracketSegments(pattern);
  const names = new Set<string>();
  if (candidates.size === 0) return names;
  const note = (path: string): boolean => {
    for (const segment of path.split('/')) if (candidates.has(segment)) names.add(segment);
    return false;
  };
  await search.find({ ...request, accepts: note, maxResults: 0 });
  return names;
}

function describe({ root, pattern }: GlobTarget, { files, total, notes }: FindOutcome, hint: string): string {
  if (total === 0) return `No file matches ${pattern} under ${root}.${hint}\n\n${notes.join('\n')}`;
  const left = total - files.length;
  const more = left === 0 ? [] : [`${left} more not shown: narrow the pattern or the path.`];
  const head = `${total} file${total === 1 ? '' : 's'} under ${root}, newest first:`;
  return [head, ...files.map(visibleName), '', ...more, ...notes].join('\n');
}

/** One name a line, also where a name holds a line end. */
function visibleName(path: string): string {
  return path.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
