import { dirname, join } from 'node:path';
import { isWithin, type Resource, type ResolvedFootprint } from '../core/footprint.ts';
import type { Confinement } from '../core/permission.ts';
import type {
  ConfinedJobs,
  ConfinedShell,
  FileAccess,
  GitAccess,
  GrepFile,
  GrepOutcome,
  JobTable,
  SearchAccess,
  ShellAccess,
} from '../core/ports.ts';
import { secrecy } from './protected-paths.ts';

/** Thrown where a call opens what was not judged, as when a link was turned elsewhere in between. */
class NotGranted extends Error {
  readonly code = 'EACCES';

  constructor(path: string) {
    super(`${path} leads to a place that was not permitted for this call`);
    this.name = 'NotGranted';
  }
}

/** Tells where paths really lead. */
type RealPaths = Pick<FileAccess, 'realPath'>;

/** Where grants hold. */
export interface GrantPlace {
  readonly files: RealPaths;
  /** The person's home folder: what in it is secret is not shown unasked. */
  readonly home: string;
}

/** Files that a call may open: those that were judged, by real path, checked again when they are opened. */
export function grantedFiles(files: FileAccess, grant: ResolvedFootprint): FileAccess {
  if (grant.extent === 'everything') return files;
  const readable = [...grant.reads, ...grant.writes];
  const checked = checkerOf(files);
  return {
    realPath: (path) => files.realPath(path),
    tracksSeen: files.tracksSeen,
    seen: (path) => files.seen(path),
    noteSeen: (path, version) => files.noteSeen(path, version),
    stat: async (path) => files.stat(await checked(path, readable)),
    list: async (path) => {
      // The names beside a granted file may be looked at, to say which was probably meant.
      const real = await files.realPath(path);
      if (
        !readable.some(
          (resource) => resource.kind === 'file' && (dirname(resource.path) === real || isWithin(real, resource.path)),
        )
      )
        throw new NotGranted(path);
      return files.list(real);
    },
    read: async (path, range) => files.read(await checked(path, readable), range),
    replace: async (path, bytes, expect) => files.replace(await checked(path, grant.writes), bytes, expect),
    transact: async (changes) =>
      files.transact(
        await Promise.all(changes.map(async (change) => ({ ...change, path: await checked(change.path, grant.writes) }))),
      ),
  };
}

/** A search that stays where it was judged and tells nothing of files that may hold secrets, unless one of them is what was asked for. */
export function grantedSearch(search: SearchAccess, grant: ResolvedFootprint, { files, home }: GrantPlace): SearchAccess {
  if (grant.extent === 'everything') return search;
  const checked = checkerOf(files);
  return {
    find: async (request) => {
      // A link on the way may lead elsewhere than the root: both ends have to be what was judged.
      if (request.below !== undefined) await checked(join(request.root, request.below), grant.reads);
      return search.find({ ...request, root: await checked(request.root, grant.reads) });
    },
    grep: async (request) => {
      const root = await checked(request.path, grant.reads);
      return withoutSecrets(await search.grep({ ...request, path: root }), root, home);
    },
  };
}

function withoutSecrets(outcome: GrepOutcome, root: string, home: string): GrepOutcome {
  // A place that is itself secret was asked about.
  if (secrecy(root, home) !== null) return outcome;
  const isSecret = (file: GrepFile): boolean => secrecy(join(root, file.path), home) !== null;
  const secrets = outcome.files.filter(isSecret);
  if (secrets.length === 0) return outcome;
  const note = `Not shown, because they may hold secrets: ${secrets.map(({ path }) => path).join(', ')}. Searching one of them by its path asks the person.`;
  return {
    ...outcome,
    files: outcome.files.filter((file) => !isSecret(file)),
    totalMatches: outcome.totalMatches - secrets.reduce((sum, { matches }) => sum + matches, 0),
    totalFiles: outcome.totalFiles - secrets.length,
    notes: [...outcome.notes, note],
  };
}

/** Repositories that are looked at only from where it was judged, and that withhold what may hold secrets. */
export function grantedGit(git: GitAccess, grant: ResolvedFootprint, { files, home }: GrantPlace): GitAccess {
  if (grant.extent === 'everything') return git;
  const checked = checkerOf(files);
  // What is itself secret was asked about.
  const asked = grant.reads.filter((resource) => resource.kind === 'file' && secrecy(resource.path, home) !== null);
  const withholds = (path: string): boolean => secrecy(path, home) !== null && !isGranted(path, asked);
  return {
    open: async (path, signal) => {
      try {
        const opened = await git.open(await checked(path, grant.reads), signal);
        return 'refusal' in opened ? opened : { ...opened, withholds };
      } catch (thrown) {
        if (!(thrown instanceof NotGranted)) throw thrown;
        return { refusal: 'failed', detail: thrown.message };
      }
    },
  };
}

/** Commands that run in what was granted. */
export function grantedShell(shell: ConfinedShell, confinement: Confinement): ShellAccess {
  return { run: (request) => shell.run(request, confinement) };
}

/** The same for those in the background; what runs already may be read and ended. */
export function grantedJobs(jobs: ConfinedJobs, confinement: Confinement): JobTable {
  return { ...jobs, start: (request) => jobs.start(request, confinement) };
}

/** Gives the real path of what was granted. */
function checkerOf(files: RealPaths): (path: string, granted: readonly Resource[]) => Promise<string> {
  return async (path, granted) => {
    const real = await files.realPath(path);
    if (!isGranted(real, granted)) throw new NotGranted(path);
    return real;
  };
}

function isGranted(real: string, granted: readonly Resource[]): boolean {
  return granted.some((resource) => resource.kind === 'file' && isWithin(real, resource.path));
}
