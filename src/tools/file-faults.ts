import { basename, dirname, resolve } from 'node:path';
import { messageOf, systemCodeOf } from '../core/errors.ts';
import { type FileAccess, FileConflict, type FileStat } from '../core/ports.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';
import { hiddenDifference, nearNames } from './near-names.ts';

/** The error of a file that could not be opened or written: what happened, and what to do next. */
export async function failForFile(files: FileAccess, path: string, thrown: unknown): Promise<ToolResult<never>> {
  if (thrown instanceof FileConflict)
    return fail(`${path} was changed by someone else meanwhile; nothing was written. Read it again and redo the change.`);
  const code = systemCodeOf(thrown);
  if (code === 'ENOENT') return fail(await notFound(files, path));
  return fail(SENTENCES[code ?? '']?.(path) ?? `${path}: ${messageOf(thrown)}.`);
}

/** What a path is when it is not a regular file, or null. */
export function notRegular(path: string, { kind }: FileStat): string | null {
  switch (kind) {
    case 'file':
      return null;
    case 'directory':
      return `${path} is a directory, not a file. List it with Glob (pattern "*", path "${path}").`;
    case 'fifo':
      return `${path} is a named pipe (FIFO); reading it could wait for ever. It was not opened.`;
    case 'socket':
      return `${path} is a socket, not a file. It was not opened.`;
    default:
      return `${path} is a device, not a file, and may have no end. It was not opened; use Bash with a bounded command (head -c).`;
  }
}

const SENTENCES: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) =>
    `Permission denied: ${path}. This user may not read or write it as asked; tell the person, or use another file.`,
  EPERM: (path) => `Not permitted: ${path} is protected by the system. Nothing was changed.`,
  EROFS: (path) => `${path} is on a read-only file system. Nothing was changed.`,
  EISDIR: (path) => `${path} is a directory. Give the path of a file in it; Glob lists them.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder. Check the path with Glob.`,
  ELOOP: (path) => `${path} is a link that leads back to itself. Use the path of a real file.`,
  ENAMETOOLONG: (path) => `${path} has a name that is too long for the file system.`,
  ENOSPC: (path) => `The disk is full: ${path} was left as it was. Free some space and try again.`,
  EDQUOT: (path) => `The disk quota is used up: ${path} was left as it was.`,
};

async function notFound(files: FileAccess, path: string): Promise<string> {
  const near = await nearNames(files, path);
  if (near === null) return `There is no file or folder ${path}: ${dirname(path)} does not exist. Find it with Glob.`;
  if (near.includes(resolve(path)))
    return `${path} is a link, and what it leads to does not exist. Look at it with Bash (ls -l).`;
  if (near.length === 0) return `There is no file or folder ${path}. Find it with Glob.`;
  return `There is no file or folder ${path}. Near names: ${near.join(', ')}.${whereTheyLookAlike(path, near)}`;
}

/** What cannot be seen has to be said. */
function whereTheyLookAlike(path: string, near: readonly string[]): string {
  const differences = near.map((name) => hiddenDifference(basename(name), basename(path))).filter((odd) => odd !== null);
  return differences.length === 0 ? '' : ` It looks the same and differs in ${differences[0]}: copy it as it stands here.`;
}
