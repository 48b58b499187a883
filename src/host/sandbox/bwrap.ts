import { existsSync, mkdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { shortHash } from '../../core/hash.ts';
import type { Confinement } from '../../core/permission.ts';
import { makeScratchFolder, removeScratchFolder } from '../files/scratch-folder.ts';
import { ScratchFile } from '../search/scratch-file.ts';
import { gitMounts, repositoryAround } from './git-folder.ts';
import { hostSockets } from './host-sockets.ts';
import { inheritedFiles } from './inherited-files.ts';
import { isVisible, type Mount, mountOrder, renderMount } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { watchForPlanted } from './planted.ts';
import { protectedMounts } from './protected-mounts.ts';
import { type EnteredProgram, type ProgramStart, type Sandbox, type SandboxPlace, strictest, unconfined } from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';
import { existing, hiddenPlaces, isFolder, secretPlaces, toolPlaces } from './visible-places.ts';

/** The bwrap of this machine. */
export interface Bwrap {
  readonly file: string;
  /** Whether it can forbid namespaces inside (from 0.8 on). */
  readonly canSealNamespaces: boolean;
}

/** Folders of ours that commands get for scratch space and for what package managers keep. */
interface OwnFolders {
  readonly scratch: string;
  readonly caches: string;
}

interface Prepared extends OwnFolders {
  readonly tools: readonly Mount[];
}

/** A sandbox of Linux namespaces. Each command gets one of its own; scratch space lasts for the session, caches for the project. */
export function createBwrapSandbox(bwrap: Bwrap, place: SandboxPlace): Sandbox {
  const filters = new Map<boolean, string>();
  const starter = starterFor(inheritedFiles());
  // Tools hardly move during a session, and looking for them costs more than the rest of the plan.
  const tools = toolPlaces(place);
  let folders: OwnFolders | null = null;

  return {
    kind: 'bwrap',
    why: null,
    enter: async (program, granted, cwd) => {
      const confinement = strictest(place.mode, granted);
      if (confinement === null) return unconfined(program);
      folders ??= makeOwnFolders(place);
      let filter = filters.get(confinement.network);
      if (filter === undefined) filters.set(confinement.network, (filter = filterFile(confinement.network)));
      const args = [
        ...isolation(bwrap, confinement),
        ...mountArguments(place, { ...folders, tools }, confinement),
        '--chdir',
        cwd,
      ];
      return entered(program, { place, bwrap, confinement, filter, starter, args });
    },
    close: () => {
      if (folders !== null) removeScratchFolder(folders.scratch);
      folders = null;
    },
  };
}

interface Entry {
  readonly bwrap: Bwrap;
  readonly place: SandboxPlace;
  readonly confinement: Confinement;
  /** Empty where there is none for this machine. */
  readonly filter: string;
  readonly starter: Starter;
  readonly args: readonly string[];
}

// The filter is handed over as an open file. No core files: they would lie in the workspace with all that was in memory.
const START = 'ulimit -c 0; exec "$@" 9<"$0"';

interface Starter {
  readonly file: string;
  /** What stands before the arguments of the script. */
  readonly args: readonly string[];
}

/** What starts bwrap. Only bash can close files whose number has several digits; where its input is a socket, it would read the person's start-up file. */
function starterFor(inherited: readonly number[]): Starter {
  if (inherited.length === 0 || !existsSync('/bin/bash')) return { file: '/bin/sh', args: ['-c', START] };
  const script = `exec ${inherited.map((fd) => `${fd}>&-`).join(' ')}; ${START}`;
  return { file: '/bin/bash', args: ['--norc', '--noprofile', '-c', script] };
}

function entered(program: ProgramStart, { bwrap, place, confinement, filter, starter, args }: Entry): EnteredProgram {
  const inside = [...args, ...(filter === '' ? [] : ['--seccomp', '9']), '--', program.file, ...program.args];
  const seen = confinement.writes === 'nothing' ? [] : rootsOf(place).map(watchForPlanted);
  return {
    file: starter.file,
    args: [...starter.args, filter === '' ? '/dev/null' : filter, bwrap.file, ...inside],
    env: innerEnvironment(program.env, place, confinement),
    isConfined: true,
    planted: async () => seen.flatMap((look) => look()),
  };
}

// No --new-session and no --die-with-parent: a command is started in a session without a terminal as it is, and what it leaves behind
// is given its time and told by name before the namespace ends with its last process.
function isolation({ canSealNamespaces }: Bwrap, { network }: Confinement): string[] {
  return [
    '--unshare-user',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...(canSealNamespaces ? ['--disable-userns'] : []),
    '--cap-drop',
    'ALL',
  ];
}

// To root the kernel's own settings in /proc/sys stay writable, by user id alone and without any capability: core_pattern is a program
// that the kernel runs outside. bwrap covers its neighbours but not this one.
const BASE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'];

function mountArguments(place: SandboxPlace, folders: Prepared, confinement: Confinement): string[] {
  const mounts = mountPlan(place, folders, confinement);
  const home = isVisible(place.home, mounts) ? [] : ['--dir', place.home];
  return [...BASE, ...mounts.flatMap(renderMount), ...home];
}

/** All that is to be seen inside, and how. Later ones win over earlier ones of the same path. */
export function mountPlan(place: SandboxPlace, folders: Prepared, confinement: Confinement): Mount[] {
  const roots = rootsOf(place);
  const around = repositoryAround(place.workspace, place.home);
  const granted = grantedPlaces(roots, confinement);
  const open = mountOrder([
    ...hiddenPlaces(place),
    ...places.scratch.map((path): Mount => ({ kind: 'private', path, source: folders.scratch })),
    ...folders.tools,
    ...cacheMounts(place, folders),
    ...(around === null ? [] : [{ kind: 'readable', path: around } as const]),
    ...roots.map((path): Mount => ({ kind: confinement.writes === 'nothing' ? 'readable' : 'writable', path })),
    ...(confinement.writes === 'nothing' ? [] : roots.flatMap((root) => [...gitMounts(root), ...protectedMounts(root)])),
    ...granted,
  ]);
  const isGranted = (path: string): boolean => granted.some((grant) => isWithin(grant.path, path));
  const sockets = hostSockets().map((path): Mount => ({ kind: 'blank', path }));
  const covers = [...secretPlaces(place), ...sockets].filter(
    ({ path }) => isVisible(path, open) && !isGranted(path) && !roots.some((root) => isWithin(root, path)),
  );
  return mountOrder([...open, ...covers]);
}

/** The machine as a whole is never what may be written. */
function rootsOf({ workspace, addDirs }: SandboxPlace): string[] {
  return [workspace, ...addDirs].filter((root) => root !== '/');
}

/** What is not there cannot be opened to a command without the folder around it, and that was not judged. */
function grantedPlaces(roots: readonly string[], { readable, writable, writes }: Confinement): Mount[] {
  const isInside = (path: string): boolean => writes !== 'nothing' && roots.some((root) => isWithin(path, root));
  const reads = readable.filter((path) => path !== '/' && !isInside(path) && existing(path) === path);
  const kept = writable.filter((path) => path !== '/' && existing(path) === path);
  return [
    ...reads.map((path): Mount => ({ kind: 'readable', path })),
    ...kept.map((path): Mount => ({ kind: 'writable', path })),
  ];
}

/** Where the workspace is the home itself, its own folder is used if it is there: a mount would leave an empty one behind. */
function cacheMounts({ home, workspace }: SandboxPlace, { caches }: OwnFolders): Mount[] {
  const path = join(home, '.cache');
  return existing(home) === null || (isWithin(path, workspace) && !isFolder(path))
    ? []
    : [{ kind: 'private', path, source: caches }];
}

function makeOwnFolders({ state, workspace }: SandboxPlace): OwnFolders {
  const scratch = makeScratchFolder('wield-scratch-');
  const caches = join(state, 'sandbox-caches', shortHash(workspace));
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  return { scratch, caches };
}

/** A path of a filter that only this process holds open, so that no command can have changed it. */
function filterFile(hasNetwork: boolean): string {
  const filter = seccompFilter(hasNetwork);
  if (filter === null) return '';
  const { fd } = new ScratchFile();
  writeSync(fd, filter);
  return `/proc/${process.pid}/fd/${fd}`;
}

// Without a network a package manager would try again for a minute and more before it says so.
const NO_RETRIES = { npm_config_fetch_retries: '0', PIP_RETRIES: '0', UV_HTTP_RETRIES: '0', CARGO_NET_RETRY: '0' };
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

function innerEnvironment(
  env: Readonly<Record<string, string>>,
  { home }: SandboxPlace,
  { network }: Confinement,
): Record<string, string> {
  const left = new Set(['XDG_RUNTIME_DIR', ...(network ? [] : PROXIES)]);
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !left.has(name)));
  const caches = Object.entries(places.caches).map(([name, folder]) => [name, join(home, '.cache', folder)]);
  return { ...kept, ...Object.fromEntries(caches), ...(network ? {} : NO_RETRIES), TMPDIR: '/tmp' };
}
