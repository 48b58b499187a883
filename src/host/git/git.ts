import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { GitAccess, GitEnd, GitRefusal, GitRepository, GitRun } from '../../core/ports.ts';
import { findProgram } from '../process/find-program.ts';
import { withIndexCopy } from './git-index.ts';
import { operationsIn } from './git-operations.ts';
import { GitProcesses } from './git-process.ts';
import { canSwitchOff, configuredFilters, gitEnvironment, globalArguments } from './git-settings.ts';

export interface LocalGitOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** A real path; a program in it is never taken for git. */
  readonly workspace: string;
  /** Other folders that a model may write: real paths. */
  readonly addDirs?: readonly string[];
}

const OPEN_TIMEOUT_MS = 10_000;
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;
// The arguments of a program are bounded, and nobody has this many.
const MAX_FILTERS = 50;

/** The git of this machine, run so that no program starts which a repository names. */
export function createLocalGit(options: LocalGitOptions): GitAccess {
  // Looked for when it is first needed: a start does not wait for it.
  let found: { readonly file: string | null } | null = null;
  const env = gitEnvironment(options.environment);
  const processes = new GitProcesses();
  return {
    open: async (path, signal) => {
      found ??= { file: findGit(options) };
      const { file } = found;
      if (file === null) return { refusal: 'no_git', detail: '' };
      return openRepository({ processes, file, env, ...(await placeOf(path)) }, signal);
    },
  };
}

/** The git on PATH, or null. None of a folder that a model may write: a repository could have put it there. */
export function findGit({ environment, workspace, addDirs = [] }: LocalGitOptions): string | null {
  return findProgram('git', { environment, roots: [workspace, ...addDirs] });
}

interface Place {
  readonly processes: GitProcesses;
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly path: string;
}

/** A path whose folders are real, and the nearest folder at or above it. */
async function placeOf(path: string): Promise<Pick<Place, 'cwd' | 'path'>> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder && path !== dirname(path)) {
    const above = await placeOf(dirname(path));
    return { cwd: above.cwd, path: join(above.path, basename(path)) };
  }
  const real = await realpath(path);
  return { cwd: real, path: real };
}

async function openRepository(place: Place, signal: AbortSignal): Promise<GitRepository | GitRefusal> {
  // Neither of these starts a program, whatever the configuration. Files that it includes are listed too.
  const [found, config] = await Promise.all([
    ask(place, ['rev-parse', '--absolute-git-dir', '--show-toplevel'], signal),
    ask(place, ['config', '--list', '--includes', '-z'], signal),
  ]);
  if (found.exitCode !== 0) return refusalOf(found);
  const [gitFolder, root, ...rest] = found.stdout.replace(/\n$/, '').split('\n');
  if (gitFolder === undefined || root === undefined || rest.length > 0)
    return { refusal: 'failed', detail: 'a folder of the repository has a line end in its name' };
  if (!(await holdsGitFolder(root, gitFolder))) return { refusal: 'redirected', detail: root };
  if (config.exitCode !== 0) return refusalOf(config);
  const filters = configuredFilters(config.stdout);
  if (filters.length > MAX_FILTERS || !filters.every(canSwitchOff))
    return { refusal: 'failed', detail: 'its configuration has filters that cannot be switched off' };
  return {
    root,
    path: place.path,
    filters,
    operations: await operationsIn(gitFolder),
    withholds: () => false,
    run: (run) =>
      run.args[0] === 'diff'
        ? withIndexCopy(gitFolder, (own) => runIn({ ...place, env: { ...place.env, ...own } }, filters, run))
        : runIn(place, filters, run),
  };
}

async function runIn({ processes, file, env, cwd }: Place, filters: readonly string[], run: GitRun): Promise<GitEnd> {
  const { signal, timeoutMs } = run;
  const end = await processes.run({
    file,
    args: [...globalArguments(filters), ...run.args],
    cwd,
    env,
    timeoutMs,
    signal,
    onOutput: (bytes) => run.onOutput(bytes),
  });
  signal.throwIfAborted();
  return end;
}

async function ask(place: Place, args: readonly string[], signal: AbortSignal): Promise<GitEnd & { readonly stdout: string }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onOutput = (bytes: Uint8Array): boolean => {
    chunks.push(bytes);
    size += bytes.length;
    return size <= MAX_CONFIG_BYTES;
  };
  const end = await runIn(place, [], { args, timeoutMs: OPEN_TIMEOUT_MS, signal, onOutput });
  return { ...end, stdout: Buffer.concat(chunks).toString('utf8') };
}

/** `core.worktree` can name any folder of this machine as the work tree; only the one that holds .git is meant. */
async function holdsGitFolder(root: string, gitFolder: string): Promise<boolean> {
  const dotGit = join(root, '.git');
  try {
    const isFile = (await lstat(dotGit)).isFile();
    const target = isFile ? resolve(root, (await readFile(dotGit, 'utf8')).replace(/^gitdir: /, '').trimEnd()) : dotGit;
    return (await realpath(target)) === (await realpath(gitFolder));
  } catch {
    return false;
  }
}

function refusalOf({ stderr, timedOut }: GitEnd): GitRefusal {
  const detail = stderr.trim();
  if (timedOut) return { refusal: 'failed', detail: 'it did not answer in time' };
  if (detail.includes('not a git repository')) return { refusal: 'no_repository', detail };
  if (/bare repository|must be run in a work tree/.test(detail)) return { refusal: 'bare', detail };
  if (/dubious ownership|unsafe repository/.test(detail)) return { refusal: 'foreign_owner', detail };
  return { refusal: 'failed', detail };
}
