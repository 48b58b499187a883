import { defineTool } from '../core/define-tool.ts';
import type { GrepRequest } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { DEFAULT_RESULTS, escapePattern, grepAnswer, type GrepInput, patternHelp } from './grep-answer.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Searches what files contain, with a regular expression (Rust syntax, as in ripgrep: no lookaround, no backreferences; a literal ( [ { . is written \\( \\[ \\{ \\.).
Use it to find where something is defined or used. To find files by name use Glob; to see more of a file use ReadFile.
Returns PATH:LINE: TEXT, grouped by file and sorted by path, paths relative to the search root, which the answer names; context lines as PATH-LINE- TEXT. It shows max_results matches, at most 1,000.
.git, node_modules, vendor and the like, binaries, and what ignore files exclude, are left out; the answer says so. Dotfiles are searched. After 20 s it returns what was found so far.`;

const MAX_RESULTS = 1000;
const TIMEOUT_MS = 20_000;
const MAX_FILES_LISTED = 500;

const INPUT = {
  type: 'object',
  properties: {
    pattern: { type: 'string', description: 'The regular expression.' },
    path: { type: 'string', description: 'Absolute path of a folder or file. Default: the project root.' },
    glob: { type: 'string', description: 'Only files whose path matches, for example "*.ts" or "src/**".' },
    context: { type: 'integer', minimum: 0, maximum: 20, description: 'Lines to show before and after each match. Default 0.' },
    ignore_case: { type: 'boolean', description: 'Letter case does not matter. Default false.' },
    output_mode: {
      type: 'string',
      enum: ['content', 'files', 'count'],
      description: 'Lines, only file names, or matches a file. Default content.',
    },
    max_results: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, description: 'Matches to show. Default 100.' },
    multiline: { type: 'boolean', description: 'A match may cross lines. Default false.' },
    include_ignored: { type: 'boolean', description: 'Search ignored and excluded folders too. Default false.' },
  },
  required: ['pattern'],
  additionalProperties: false,
} as const;

export interface GrepMetadata {
  readonly root: string;
  readonly totalMatches: number;
  readonly totalFiles: number;
  readonly filesSearched: number;
}

/** Searches file contents. */
export function createGrepTool(): Tool<GrepInput, GrepMetadata> {
  return defineTool({
    name: 'Grep',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'search',
    aliases: {
      snakeCase: 'search',
      keys: {
        query: 'pattern',
        regex: 'pattern',
        maxResults: 'max_results',
        include: 'glob',
        ignoreCase: 'ignore_case',
        outputMode: 'output_mode',
        case_insensitive: 'ignore_case',
        directory: 'path',
        file_path: 'path',
      },
      snakeCaseKeys: { pattern: 'query', max_results: 'maxResults' },
      snakeCaseDefaults: { max_results: 20 },
      pathKeys: ['path'],
    },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    validateInput: ({ pattern, path, glob }, facts) =>
      textFault('pattern', pattern) ?? textFault('glob', glob) ?? (path === undefined ? null : pathFault('path', path, facts)),
    footprint: ({ path }, { cwd }) => ({ extent: 'listed', reads: [{ kind: 'file', path: path ?? cwd }], writes: [] }),
    subject: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    execute: async (context, input) => {
      try {
        return await search(context, input);
      } catch (thrown) {
        context.signal.throwIfAborted();
        return failForFile(context.files, input.path ?? context.cwd, thrown);
      }
    },
  });
}

function textFault(key: string, text: string | undefined): string | null {
  if (key === 'pattern' && text === '') return '"pattern" is empty. Give what to search for.';
  return text?.includes('\0') ? `"${key}" holds a NUL character, which only binary files do.` : null;
}

async function search(context: ToolContext, input: GrepInput): Promise<ToolResult<GrepMetadata>> {
  const root = input.path ?? context.cwd;
  const stat = await context.files.stat(root);
  const fault = stat.kind === 'directory' ? null : notRegular(root, stat);
  if (fault !== null) return fail(fault);
  const request = requestOf(root, input, context.signal);
  const outcome = await context.search.grep(request);
  if (outcome.fault !== null) return fail(patternHelp(input, outcome.fault));
  const { totalMatches, totalFiles, filesSearched } = outcome;
  const isMissed =
    totalMatches === 0 && filesSearched > 0 && outcome.stoppedBy === null && escapePattern(input.pattern) !== input.pattern;
  const literal = isMissed
    ? await context.search.grep({ ...request, pattern: escapePattern(input.pattern), maxResults: 1 })
    : null;
  return succeed(grepAnswer(root, input, { outcome, literal, isFile: stat.kind === 'file' }), {
    root,
    totalMatches,
    totalFiles,
    filesSearched,
  });
}

/** Globs are about paths below the root; models also write them with the root in front, or with `./`. */
function relativeGlob(root: string, glob: string): string {
  if (glob.startsWith('./')) return glob.slice(1);
  return glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob;
}

function requestOf(root: string, input: GrepInput, signal: AbortSignal): GrepRequest {
  const { pattern, output_mode: mode = 'content' } = input;
  const isContent = mode === 'content';
  return {
    path: root,
    pattern,
    // Some models fill in every key.
    glob: input.glob === undefined || input.glob === '' ? null : relativeGlob(root, input.glob),
    contextLines: isContent ? (input.context ?? 0) : 0,
    ignoreCase: input.ignore_case ?? false,
    multiline: input.multiline ?? /\\n|\n/.test(pattern),
    includeIgnored: input.include_ignored ?? false,
    countsOnly: !isContent,
    maxResults: isContent
      ? (input.max_results ?? DEFAULT_RESULTS)
      : Math.min(input.max_results ?? MAX_FILES_LISTED, MAX_FILES_LISTED),
    timeoutMs: TIMEOUT_MS,
    signal,
  };
}
