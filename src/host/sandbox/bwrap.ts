import { existsSync, mkdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { shortHash } from '../../core/hash.ts';
import type { Confinement } from '../../core/permission.ts';
import { removeScratchFolder } from '../files/scratch-folder.ts';
import { PLAIN_STARTER, type Starter } from '../process/output-pipe.ts';
import { ScratchFile } from '../search/scratch-file.ts';
import { type CommandMounts, commandMounts, type OwnPlaces } from './command-mounts.ts';
import { gitSettingsCopies } from './git-settings-copy.ts';
import { mayWrite } from './granted-places.ts';
import { inheritedFiles } from './inherited-files.ts';
import { isVisible, type Mount, renderMount, sealHidden } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { watchForPlanted } from './planted.ts';
import {
  type EnteredProgram,
  homeNotes,
  type ProgramStart,
  rootsOf,
  type Sandbox,
  type SandboxPlace,
  strictest,
  unconfined,
} from './sandbox.ts';
import { seccompFilter } from './seccomp.ts';
import { makeSessionScratch } from './session-scratch.ts';
import { toolPlaces } from './visible-places.ts';

/** The bwrap of this machine. */
export interface Bwrap {
  readonly file: string;
  /** Whether it can forbid namespaces inside (from 0.8 on). */
  readonly canSealNamespaces: boolean;
}

/** A sandbox of Linux namespaces. Each command gets one of its own; scratch space lasts for the session, caches for the project. */
export function createBwrapSandbox(bwrap: Bwrap, place: SandboxPlace): Sandbox {
  const filters = new Map<boolean, string>();
  const inherited = inheritedFiles();
  let own: SessionPlaces | null = null;

  return {
    kind: 'bwrap',
    why: null,
    notes: homeNotes(place),
    enter: async (program, granted, cwd) => {
      const confinement = strictest(place.mode, granted);
      if (confinement === null) return unconfined(program);
      own ??= makeOwnPlaces(place);
      let filter = filters.get(confinement.network);
      if (filter === undefined) filters.set(confinement.network, (filter = filterFile(confinement.network)));
      const command = commandMounts(place, own, confinement);
      const args = [...isolation(bwrap, confinement), ...mountArguments(place, command.mounts), '--chdir', cwd];
      return entered(program, { place, bwrap, confinement, starter: starterFor(inherited, filter), args, command });
    },
    close: () => {
      if (own !== null) removeScratchFolder(own.base);
      own = null;
    },
  };
}

interface SessionPlaces extends OwnPlaces {
  /** Holds what is made for the session. */
  readonly base: string;
}

interface Entry {
  readonly bwrap: Bwrap;
  readonly place: SandboxPlace;
  readonly confinement: Confinement;
  readonly starter: Starter;
  readonly args: readonly string[];
  readonly command: CommandMounts;
}

// No core files: they would lie in the workspace with all that was in memory.
const NO_CORE_FILES = 'ulimit -c 0';
const FILTER_FD = '9';

/** What starts bwrap, with the filter as an open file. Only bash can close files whose number has several digits; where its input is a socket, it would read the person's start-up file. */
function starterFor(inherited: readonly number[], filter: string): Starter {
  const opens = filter === '' ? '' : `${FILTER_FD}<${filter}`;
  if (inherited.length === 0 || !existsSync('/bin/bash')) return { ...PLAIN_STARTER, prelude: NO_CORE_FILES, opens };
  const closing = `exec ${inherited.map((fd) => `${fd}>&-`).join(' ')}`;
  return { shell: ['/bin/bash', '--norc', '--noprofile', '-c'], prelude: `${closing}; ${NO_CORE_FILES}`, opens };
}

function entered(program: ProgramStart, { bwrap, place, confinement, starter, args, command }: Entry): EnteredProgram {
  const filter = starter.opens === '' ? [] : ['--seccomp', FILTER_FD];
  const pinned = new Set(command.mounts.filter(({ kind }) => kind === 'pinned').map(({ path }) => path));
  const look = watchForPlanted({ ...command, home: place.home });
  return {
    file: bwrap.file,
    args: [...args, ...filter, '--', program.file, ...program.args],
    starter,
    env: innerEnvironment(program.env, place, confinement),
    isConfined: true,
    refused: command.refused,
    // What is pinned can be written already, and is never to be moved.
    mayWrite: (path) => place.mode !== 'read-only' && !pinned.has(path) && mayWrite(path, place),
    isHidden: (path) => !isVisible(path, command.mounts),
    planted: async () => look(),
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

function mountArguments({ home }: SandboxPlace, mounts: readonly Mount[]): string[] {
  const ownHome = isVisible(home, mounts) ? [] : ['--dir', home];
  return [...BASE, ...mounts.flatMap(renderMount), ...ownHome, ...sealHidden(mounts)];
}

/** Tools hardly move during a session, and looking for them costs more than the rest of the plan. */
function makeOwnPlaces(place: SandboxPlace): SessionPlaces {
  const { state, config, workspace } = place;
  const base = makeSessionScratch();
  const scratch = join(base, 'tmp');
  const caches = join(state, 'sandbox-caches', shortHash(workspace));
  for (const folder of [scratch, caches]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  // What is not there cannot be covered, and in a home that is the workspace a command could make it.
  if (rootsOf(place).some((root) => isWithin(config, root))) mkdirSync(config, { recursive: true, mode: 0o700 });
  return { base, scratch, caches, tools: toolPlaces(place), settings: gitSettingsCopies(place, base) };
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
  const cache = join(home, '.cache');
  const caches = Object.entries(places.caches).map(([name, folder]) => [name, join(cache, folder)]);
  // Maven has no variable for its folder alone.
  const MAVEN_OPTS = `-Dmaven.repo.local=${join(cache, 'maven')}`;
  return { ...kept, ...Object.fromEntries(caches), MAVEN_OPTS, ...(network ? {} : NO_RETRIES), TMPDIR: '/tmp' };
}
