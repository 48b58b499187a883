import { shortHash } from '../core/hash.ts';
import type { ImageBlock } from '../core/message.ts';
import type { FileAccess } from '../core/ports.ts';
import { defineTool } from '../core/define-tool.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { decodeText, isBinary, readableText } from '../host/text/text-file.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { imageTypeOf, MAX_IMAGE_BYTES } from './image-type.ts';
import { type LineWindow, readLines } from './line-window.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Reads a text file and returns its lines as NUMBER<TAB>TEXT, numbered from 1.
Use it before you edit a file, and to answer questions about one. To look for something in many files use Grep; to find a file use Glob.
In a large file find the place with Grep first, then read around it with offset and limit.
Returns up to 2,000 lines at a time; when more remain, the last line says how many and the offset to go on with. A line over 2,000 characters is cut and marked.
The number and the tab are not part of the file: leave them out of old_string in EditFile.
Text in UTF-8, UTF-16 or a legacy encoding is decoded, and the answer names what is not UTF-8. PNG, JPEG, GIF and WebP come back as an image. Other binary files are refused: look at them with Bash (file, xxd).`;

const DEFAULT_LIMIT = 2000;
const HEAD_BYTES = 512;
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
    execute: async (context, { path, offset = 1, limit = DEFAULT_LIMIT }) => {
      try {
        return await read(context, path, { offset, limit });
      } catch (thrown) {
        context.signal.throwIfAborted();
        return failForFile(context.files, path, thrown);
      }
    },
  });
}

interface Range {
  readonly offset: number;
  readonly limit: number;
}

async function read(
  { files, signal, seesImages }: ToolContext,
  path: string,
  range: Range,
): Promise<ToolResult<ReadFileMetadata>> {
  const stat = await files.stat(path);
  const fault = notRegular(path, stat);
  if (fault !== null) return fail(fault);
  const isWhole = stat.sizeBytes <= WHOLE_FILE_BYTES;
  const bytes = await files.read(path, isWhole ? undefined : { start: 0, length: HEAD_BYTES });
  const head = bytes.subarray(0, HEAD_BYTES);
  const imageType = imageTypeOf(head);
  if (imageType !== null && seesImages) return readImage(files, path, { ...stat, mediaType: imageType });
  if (isBinary(head)) return fail(binaryRefusal(path, head));
  if (!isWhole) {
    const readRange = (start: number, length: number): Promise<Uint8Array> => {
      signal.throwIfAborted();
      return files.read(path, { start, length });
    };
    const window = await readLines(readRange, range);
    return answer(path, stat, { range, window, note: null });
  }
  const { utf8, note } = await asUtf8(bytes);
  const window = await readLines(async (start, length) => utf8.subarray(start, start + length), range);
  files.noteSeen(path, shortHash(bytes));
  return answer(path, stat, { range, window, note });
}

/** Whatever the encoding, lines are cut out of UTF-8. */
async function asUtf8(bytes: Uint8Array): Promise<{ readonly utf8: Uint8Array; readonly note: string | null }> {
  const file = await decodeText(bytes);
  if (file === null) return { utf8: bytes, note: null };
  if (file.encoding !== 'utf-8')
    return { utf8: Buffer.from(readableText(file.text), 'utf8'), note: `The file is in ${file.encoding}; EditFile keeps that.` };
  const isSound = file.text.isWellFormed();
  return {
    utf8: bytes,
    note: isSound ? null : 'Some bytes are no UTF-8 and stand here as \ufffd; EditFile keeps them, WriteFile would not.',
  };
}

interface Found {
  readonly range: Range;
  readonly window: LineWindow;
  readonly note: string | null;
}

function answer(
  path: string,
  stat: { sizeBytes: number; mtimeMs: number },
  { range, window, note }: Found,
): ToolResult<ReadFileMetadata> {
  const facts = { path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs, firstLine: range.offset, lines: window.lines.length };
  if (window.totalLines === 0) return succeed(`${path} is empty (${stat.sizeBytes} bytes).`, facts);
  if (window.lines.length === 0) {
    return fail(
      `${path} has ${window.totalLines} line${window.totalLines === 1 ? '' : 's'}; offset ${range.offset} is past its end. Give an offset from 1 to ${window.totalLines}.`,
    );
  }
  return succeed(`${render(window, range)}${note === null ? '' : `\n[${note}]`}`, facts);
}

async function readImage(
  files: FileAccess,
  path: string,
  {
    mediaType,
    sizeBytes,
    mtimeMs,
  }: { readonly mediaType: ImageBlock['mediaType']; readonly sizeBytes: number; readonly mtimeMs: number },
): Promise<ToolResult<ReadFileMetadata>> {
  if (sizeBytes > MAX_IMAGE_BYTES) {
    return fail(
      `${path} is an image of ${sizeBytes} bytes; models take up to ${MAX_IMAGE_BYTES}. Make a smaller copy with Bash and read that.`,
    );
  }
  const data = Buffer.from(await files.read(path)).toString('base64');
  const content = [
    { type: 'text', text: `${path}: ${mediaType}, ${sizeBytes} bytes` } as const,
    { type: 'image', mediaType, data } as const,
  ];
  return { content, isError: false, metadata: { path, sizeBytes, mtimeMs, firstLine: 1, lines: 0 } };
}

function binaryRefusal(path: string, head: Uint8Array): string {
  const image = imageTypeOf(head);
  if (image !== null) return `${path} is an image (${image}), which this model cannot see. Look at its facts with Bash: file.`;
  const everyOther = head.filter((byte, i) => byte === 0 && i % 2 === (head[0] === 0 ? 0 : 1)).length;
  const looksWide = everyOther > head.length / 4;
  const wide = head[0] === 0 ? 'UTF-16BE' : 'UTF-16LE';
  const guess = looksWide ? ` It looks like UTF-16 without a byte order mark; iconv -f ${wide} -t UTF-8 would show it.` : '';
  return `${path} is a binary file (it holds NUL bytes).${guess} Look at it with Bash: file, or xxd | head.`;
}

function render({ lines, remaining }: LineWindow, { offset }: Range): string {
  const numbered = lines.map((line, i) => `${offset + i}\t${line}`);
  if (remaining !== null) numbered.push(`[${remaining}; go on with offset ${offset + lines.length}.]`);
  return numbered.join('\n');
}
