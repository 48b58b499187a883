import { shortHash } from '../core/hash.ts';
import type { FileAccess } from '../core/ports.ts';
import { defineTool } from '../core/define-tool.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { isBinary } from '../host/text-file.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { type LineWindow, readLines } from './line-window.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Reads a text file and returns its lines as NUMBER<TAB>TEXT, numbered from 1.
Use it before you edit a file, and to answer questions about one. To look for something in many files use Grep; to find a file use Glob.
In a large file find the place with Grep first, then read around it with offset and limit.
Returns up to 2,000 lines at a time; when more remain, the last line says how many and the offset to go on with. A line over 2,000 characters is cut and marked.
The number and the tab are not part of the file: leave them out of old_string in EditFile.
Text is UTF-8. Binary files are refused: look at them with Bash (file, xxd).`;

const DEFAULT_LIMIT = 2000;
// Up to this size the whole file is read and remembered as seen; beyond it only what is asked for.
const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

const INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path of the file.' },
    offset: { type: 'integer', minimum: 1, description: 'First line to return, counted from 1. Default 1.' },
    limit: { type: 'integer', minimum: 1, description: 'How many lines to return. Default 2000.' },
  },
  required: ['path'],
  additionalProperties: false,
} as const;

export interface ReadFileMetadata {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly firstLine: number;
  readonly lines: number;
}

/** Reads lines of a file. */
export function createReadFileTool(): Tool<
  { readonly path: string; readonly offset?: number; readonly limit?: number },
  ReadFileMetadata
> {
  return defineTool({
    name: 'ReadFile',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'file',
    aliases: {
      snakeCase: 'read_file',
      keys: { file_path: 'path', filePath: 'path', file: 'path', start_line: 'offset', max_lines: 'limit' },
      pathKeys: ['path'],
    },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    validateInput: ({ path }, facts) => pathFault('path', path, facts),
    footprint: ({ path }) => ({ extent: 'listed', reads: [{ kind: 'file', path }], writes: [] }),
    subject: ({ path }) => path,
    execute: async ({ files }, { path, offset = 1, limit = DEFAULT_LIMIT }) => {
      try {
        return await read(files, path, { offset, limit });
      } catch (thrown) {
        return failForFile(files, path, thrown);
      }
    },
  });
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

async function read(files: FileAccess, path: string, range: Range): Promise<ToolResult<ReadFileMetadata>> {
  const stat = await files.stat(path);
  const fault = notRegular(path, stat);
  if (fault !== null) return fail(fault);
  const isWhole = stat.sizeBytes <= WHOLE_FILE_BYTES;
  const head = await files.read(path, isWhole ? undefined : { start: 0, length: 512 });
  if (isBinary(head))
    return fail(
      `${path} is a binary file (it holds NUL bytes; UTF-16 text looks so too). Look at it with Bash: file, or xxd | head.`,
    );
  const readRange = isWhole
    ? async (start: number, length: number) => head.subarray(start, start + length)
    : (start: number, length: number) => files.read(path, { start, length });
  const window = await readLines(readRange, range);
  if (isWhole) files.noteSeen(path, shortHash(head));
  if (head.length === 0) return succeed(`${path} is empty (0 bytes).`, metadata(path, stat, range, window));
  if (window.lines.length === 0) {
    return fail(
      `${path} has ${window.totalLines} lines; offset ${range.offset} is past its end. Give an offset from 1 to ${window.totalLines}.`,
    );
  }
  return succeed(render(window, range), metadata(path, stat, range, window));
}

function render({ lines, remaining }: LineWindow, { offset }: Range): string {
  const numbered = lines.map((line, i) => `${offset + i}\t${line}`);
  if (remaining !== null) numbered.push(`[${remaining} remain; go on with offset ${offset + lines.length}.]`);
  return numbered.join('\n');
}

function metadata(
  path: string,
  stat: { sizeBytes: number; mtimeMs: number },
  { offset }: Range,
  window: LineWindow,
): ReadFileMetadata {
  return { path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs, firstLine: offset, lines: window.lines.length };
}
