import { defineTool } from '../core/define-tool.ts';
import type { GrepFile, GrepLine, GrepOutcome } from '../core/ports.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { failForFile } from './file-faults.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Searches what files contain, with a regular expression (Rust syntax, as in ripgrep: no lookaround, no backreferences; a literal ( [ { . is written \\( \\[ \\{ \\.).
Use it to find where something is defined or used. To find files by name use Glob; to see more of a file use ReadFile.
Returns PATH:LINE: TEXT, grouped by file and sorted by path, paths relative to the search root, which the answer names; context lines as PATH-LINE- TEXT. At most 100 matches, up to 1,000 with max_results.
.git, node_modules, vendor and the like, binaries, and what ignore files exclude, are left out; the answer says so. Dotfiles are searched. After 20 s it returns what was found so far.`;

const DEFAULT_RESULTS = 100;
const MAX_RESULTS = 1000;
const TIMEOUT_MS = 20_000;
const MAX_LINE_CHARS = 500;
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

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly context?: number;
  readonly ignore_case?: boolean;
  readonly output_mode?: 'content' | 'files' | 'count';
  readonly max_results?: number;
  readonly multiline?: boolean;
  readonly include_ignored?: boolean;
}

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
    validateInput: ({ pattern, path }, facts) =>
      pattern === ''
        ? '"pattern" is empty. Give what to search for.'
        : path === undefined
          ? null
          : pathFault('path', path, facts),
    footprint: ({ path }, { cwd }) => ({ extent: 'listed', reads: [{ kind: 'file', path: path ?? cwd }], writes: [] }),
    subject: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    execute: async (context, input) => {
      try {
        return await search(context, input);
      } catch (thrown) {
        return failForFile(context.files, input.path ?? context.cwd, thrown);
      }
    },
  });
}

async function search(context: ToolContext, input: GrepInput): Promise<ToolResult<GrepMetadata>> {
  const root = input.path ?? context.cwd;
  const outcome = await context.search.grep({
    path: root,
    pattern: input.pattern,
    glob: input.glob ?? null,
    contextLines: input.output_mode === undefined || input.output_mode === 'content' ? (input.context ?? 0) : 0,
    ignoreCase: input.ignore_case ?? false,
    multiline: input.multiline ?? input.pattern.includes('\\n'),
    includeIgnored: input.include_ignored ?? false,
    maxResults:
      input.output_mode === undefined || input.output_mode === 'content'
        ? (input.max_results ?? DEFAULT_RESULTS)
        : Number.MAX_SAFE_INTEGER,
    timeoutMs: TIMEOUT_MS,
    signal: context.signal,
  });
  if (outcome.fault !== null) return fail(patternHelp(input.pattern, outcome.fault));
  const { totalMatches, totalFiles, filesSearched } = outcome;
  return succeed(describe(root, input, outcome), { root, totalMatches, totalFiles, filesSearched });
}

function patternHelp(pattern: string, fault: string): string {
  const literal = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `The pattern is not valid:\n${fault}\nTo search for the text itself, write ${literal}`;
}

function describe(root: string, input: GrepInput, outcome: GrepOutcome): string {
  const notes = [
    outcome.timedOut ? 'Stopped after 20 s: this answer is partial. Narrow path or glob.' : null,
    ...outcome.notes,
  ].filter((note) => note !== null);
  if (outcome.totalMatches === 0) return `${nothingFound(root, input, outcome)}\n\n${notes.join('\n')}`.trimEnd();
  const body = bodyOf(input, outcome);
  const head = `${plural(outcome.totalMatches, 'match', 'matches')} in ${plural(outcome.totalFiles, 'file', 'files')} under ${root}:`;
  return [head, ...body.lines, '', ...(body.more === null ? [] : [body.more]), ...notes].join('\n').trimEnd();
}

function nothingFound(root: string, { pattern, glob }: GrepInput, { filesSearched }: GrepOutcome): string {
  if (filesSearched === 0 && glob !== undefined)
    return `No file under ${root} matches the glob ${glob}, so nothing was searched for ${pattern}.`;
  const dialect = pattern.includes('\\|') ? ' Here alternation is written | and not \\|.' : '';
  return `No match for ${pattern} in ${plural(filesSearched, 'file', 'files')} under ${root}.${dialect}`;
}

function bodyOf(input: GrepInput, { files, totalMatches, totalFiles }: GrepOutcome): { lines: string[]; more: string | null } {
  if (input.output_mode === 'files' || input.output_mode === 'count') {
    const listed = files.slice(0, MAX_FILES_LISTED);
    const lines = listed.map(({ path, matches }) => (input.output_mode === 'files' ? path : `${path}: ${matches}`));
    const left = totalFiles - listed.length;
    return { lines, more: left > 0 ? `${left} more files not shown: narrow path or glob.` : null };
  }
  const max = input.max_results ?? DEFAULT_RESULTS;
  const lines = renderMatches(files, max, (input.context ?? 0) > 0);
  const left = totalMatches - max;
  return {
    lines,
    more: left > 0 ? `${left} more matches not shown: narrow the pattern, path or glob, or raise max_results.` : null,
  };
}

function renderMatches(files: readonly GrepFile[], max: number, hasContext: boolean): string[] {
  const out: string[] = [];
  let shown = 0;
  for (const { path, lines } of files) {
    let last: GrepLine | null = null;
    for (const line of lines) {
      if (line.matchStart !== null && shown === max) return out;
      if (line.matchStart !== null) shown++;
      const isGap = hasContext && out.length > 0 && (last === null || line.line > last.line + 1);
      if (isGap) out.push('--');
      out.push(renderLine(path, line));
      last = line;
    }
  }
  return out;
}

function renderLine(path: string, { line, text, matchStart }: GrepLine): string {
  const [open, close] = matchStart === null ? ['-', '-'] : [':', ':'];
  return `${path.replaceAll('\n', '\\n')}${open}${line}${close} ${aroundMatch(text, matchStart ?? 0)}`;
}

/** A long line is cut around its match, at code points. */
function aroundMatch(text: string, start: number): string {
  if (text.length <= MAX_LINE_CHARS) return text.toWellFormed();
  const from = Math.max(0, start - MAX_LINE_CHARS / 4);
  const piece = text.slice(from, from + MAX_LINE_CHARS).toWellFormed();
  return `${from > 0 ? '…' : ''}${piece}${from + MAX_LINE_CHARS < text.length ? '…' : ''} [line of ${text.length} characters]`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
