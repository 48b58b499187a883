import { join, relative } from 'node:path';
import type { GitAccess, GitEnd, GitRefusal, GitRepository } from '../core/ports.ts';

/** Thrown where git has no answer. The message tells the model what happened and what to do next. */
export class GitFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GitFailure';
  }
}

export interface GitText {
  readonly text: string;
  /** True where git had more to say. */
  readonly isCut: boolean;
}

export const GIT_TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DETAIL_CHARS = 500;

/** The repository of a path. Errors: throws GitFailure where there is none. */
export async function openRepository(git: GitAccess, path: string, signal: AbortSignal): Promise<GitRepository> {
  const opened = await git.open(path, signal);
  if ('refusal' in opened) throw new GitFailure(refusalText(path, opened));
  return opened;
}

/** All that git writes, up to a bound. Errors: throws GitFailure where git fails or takes too long. */
export async function readGit(repository: GitRepository, args: readonly string[], signal: AbortSignal): Promise<GitText> {
  const { output, end } = await run(repository, args, signal);
  if (end.exitCode !== 0 && !output.isCut) throw new GitFailure(failureText(args, end));
  return output;
}

/** The same, or null where git finds nothing of the kind and says so by failing. Errors: throws GitFailure where it takes too long. */
export async function readGitIfAny(
  repository: GitRepository,
  args: readonly string[],
  signal: AbortSignal,
): Promise<GitText | null> {
  const { output, end } = await run(repository, args, signal);
  return end.exitCode === 0 ? output : null;
}

async function run(
  repository: GitRepository,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly output: GitText; readonly end: GitEnd }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onOutput = (bytes: Uint8Array): boolean => {
    chunks.push(bytes.subarray(0, MAX_BYTES - size));
    size += bytes.length;
    return size <= MAX_BYTES;
  };
  const end = await repository.run({ args, timeoutMs: GIT_TIMEOUT_MS, signal, onOutput });
  if (end.timedOut) throw new GitFailure(failureText(args, end));
  return { output: { text: Buffer.concat(chunks).toString('utf8'), isCut: size > MAX_BYTES }, end };
}

/** What git said when it failed, and what to do next. */
export function failureText(
  [command = '']: readonly string[],
  { stderr, timedOut }: Pick<GitEnd, 'stderr' | 'timedOut'>,
): string {
  if (timedOut)
    return `git ${command} took longer than ${GIT_TIMEOUT_MS / 1000} s and was ended. Give a path, or run it with Bash in the background.`;
  return `git ${command} failed: ${shortDetail(stderr)}`;
}

/** The items of output that ends each with a NUL. One that was cut off is left out. */
export function nulItems({ text, isCut }: GitText): string[] {
  const items = text.split('\0');
  items.pop();
  return isCut ? items.slice(0, -1) : items;
}

/** Names of a repository as paths relative to a folder: as they are, one a line. */
export function nameFrom(folder: string, root: string): (name: string) => string {
  return (name) => {
    const path = relative(folder, join(root, name)) || '.';
    // A repository in the repository is listed with a slash at its end.
    return (name.endsWith('/') ? `${path}/` : path).replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  };
}

/** Two names that no reader can mix up, also where one of them holds the arrow. */
export function fromTo(oldName: string, newName: string): string {
  return `${oldName}${newName}`.includes('→') ? `from\n    ${oldName}\n    to\n    ${newName}` : `${oldName} → ${newName}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function refusalText(path: string, { refusal, detail }: GitRefusal): string {
  switch (refusal) {
    case 'no_git':
      return 'git is not installed, or not on PATH. Go on without it; ReadFile and Glob show the files as they are.';
    case 'no_repository':
      return `${path} is not in a git repository. Go on without git; make one (git init) only where the person wants it.`;
    case 'bare':
      return `${path} lies in a bare repository or in a .git folder, where no files are checked out. Work in a folder that has them.`;
    case 'foreign_owner':
      return `git refuses the repository of ${path}, because another user owns it. Tell the person; only they should trust it (git config --global --add safe.directory).`;
    case 'redirected':
      return `The configuration of this repository (core.worktree) says that its files are in ${detail}, not beside .git, so it was not looked at. Tell the person.`;
    case 'failed':
      return `git cannot open the repository of ${path}: ${shortDetail(detail)}`;
  }
}

function shortDetail(detail: string): string {
  const text = detail.trim() || 'it gave no reason';
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS).toWellFormed()}…` : text;
}
