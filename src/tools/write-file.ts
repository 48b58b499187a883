import { basename } from 'node:path';
import { defineTool } from '../core/define-tool.ts';
import { systemCodeOf } from '../core/errors.ts';
import { shortHash } from '../core/hash.ts';
import type { FileAccess, Version } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { decodeText, rewriteText, type TextFile } from '../host/text/text-file.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { hiddenDifference, twinOf } from './near-names.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Writes a whole file: content replaces all that was in it. Missing folders are made.
Use it for a new file, or to rewrite one completely. For a small change use EditFile, which keeps the rest byte for byte.
An existing file that you have not read in this session is refused: read it with ReadFile first.
content is written exactly as given; end it with a newline where the file should have one. The file is the old or the new one at any moment, never half.
Returns the number of bytes written, and for a replaced file its old and new size.`;

const INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path of the file.' },
    content: { type: 'string', description: 'The whole new content.' },
  },
  required: ['path', 'content'],
  additionalProperties: false,
} as const;

export interface WriteFileMetadata {
  readonly path: string;
  readonly oldBytes: number | null;
  readonly newBytes: number;
}

// ReadFile takes no larger file for seen.
const MAX_SEEN_BYTES = 8 * 1024 * 1024;

/** Replaces a file whole. */
export function createWriteFileTool(): Tool<{ readonly path: string; readonly content: string }, WriteFileMetadata> {
  return defineTool({
    name: 'WriteFile',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'file',
    aliases: {
      snakeCase: 'write_file',
      keys: { file_path: 'path', filePath: 'path', file: 'path', text: 'content', contents: 'content' },
      pathKeys: ['path'],
    },
    isReadOnly: false,
    isDestructive: false,
    validateInput: ({ path, content }, facts) =>
      pathFault('path', path, facts) ?? homeFault(path) ?? folderFault(path) ?? contentFault(content),
    footprint: ({ path }) => ({ extent: 'listed', reads: [], writes: [{ kind: 'file', path }] }),
    subject: ({ path }) => path,
    execute: async ({ files }, { path, content }) => {
      try {
        return await write(files, path, content);
      } catch (thrown) {
        return failForFile(files, path, thrown);
      }
    },
  });
}

/** A folder of this name is one slip away from deleting the home folder. */
function homeFault(path: string): string | null {
  if (!path.split('/').includes('~')) return null;
  return '"path" has a folder named "~" in it, which a shell would take for the home folder. Give the path without it.';
}

function folderFault(path: string): string | null {
  return path.endsWith('/') ? `"path" ends with a slash, which names a folder: ${path}. Give the path of a file in it.` : null;
}

function contentFault(content: string): string | null {
  if (content.isWellFormed()) return null;
  return '"content" holds half of a character (a lone surrogate), which no file can hold. Send the whole character.';
}

async function write(files: FileAccess, path: string, content: string): Promise<ToolResult<WriteFileMetadata>> {
  const old = await existing(files, path);
  if (old !== null && old.fault !== null) return fail(old.fault);
  if (old !== null && files.tracksSeen && (old.version === null || files.seen(path) !== old.version))
    return fail(unseen(files, path, old));
  const twin = old === null ? await twinOf(files, path) : null;
  if (twin !== null) return fail(twinFault(path, twin));
  const { bytes, note } = await bytesFor(content, old?.text ?? null);
  const version = await files.replace(path, bytes, old === null ? 'absent' : (old.version ?? 'any'));
  files.noteSeen(path, version);
  const what = old === null ? 'new file' : `replaced; ${old.sizeBytes} → ${bytes.length} bytes`;
  return succeed(`Wrote ${bytes.length} bytes to ${path} (${what}).${note}`, {
    path,
    oldBytes: old?.sizeBytes ?? null,
    newBytes: bytes.length,
  });
}

/** The file's own encoding and mark where they can hold the text; else UTF-8, said in words. */
async function bytesFor(content: string, old: TextFile | null): Promise<{ readonly bytes: Uint8Array; readonly note: string }> {
  const kept = old === null ? null : await rewriteText(old, content);
  if (kept !== null && 'bytes' in kept) {
    const note = old?.encoding === 'utf-8' ? '' : ` Its encoding, ${old?.encoding}, was kept.`;
    return { bytes: kept.bytes, note };
  }
  return { bytes: Buffer.from(content, 'utf8'), note: kept === null ? '' : ` It is in UTF-8 now: ${kept.problem}.` };
}

/** Two files that no one can tell apart help nobody. */
function twinFault(path: string, twin: string): string {
  const odd = hiddenDifference(basename(twin), basename(path));
  return `There is a file ${twin} whose name looks the same as ${path} and differs in ${odd}; nothing was written. Use its path as it stands here, or another name.`;
}

interface ExistingFile {
  /** What it is when it is no regular file. */
  readonly fault: string | null;
  readonly sizeBytes: number;
  readonly version: Version | null;
  /** Null where it is binary or too large to look at. */
  readonly text: TextFile | null;
}

async function existing(files: FileAccess, path: string): Promise<ExistingFile | null> {
  try {
    const stat = await files.stat(path);
    const { sizeBytes } = stat;
    const fault = notRegular(path, stat);
    if (fault !== null || sizeBytes > MAX_SEEN_BYTES) return { fault, sizeBytes, version: null, text: null };
    const bytes = await files.read(path);
    return { fault: null, sizeBytes, version: shortHash(bytes), text: await decodeText(bytes) };
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

function unseen(files: FileAccess, path: string, { text, sizeBytes }: ExistingFile): string {
  if (text === null) {
    const reason = sizeBytes > MAX_SEEN_BYTES ? `has ${sizeBytes} bytes, more than ReadFile takes in` : 'is a binary file';
    return `${path} ${reason}, so you cannot know what is lost; nothing was written. If it is to be replaced, remove it first with Bash.`;
  }
  if (files.seen(path) === null) {
    return `${path} exists and you have not read it; nothing was written. Read it with ReadFile first, or make a small change with EditFile.`;
  }
  return `${path} changed since you read it; nothing was written. Read it again with ReadFile, then write.`;
}
