import { existsSync, mkdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import { shortHash } from '../../core/hash.ts';
import type { Confinement } from '../../core/permission.ts';
import { removeScratchFolder } from '../files/scratch-folder.ts';
import { PLAIN_STARTER, type Starter } from '../process/output-pipe.ts';
import { ScratchFile } from '../search/scratch-file.ts';
import type { CommandMounts, OwnPlaces } from './command-mounts.ts';
import { gitSettingsCopies } from './git-settings-copy.ts';
import { mayWrite } from './granted-places.ts';
import { inheritedFiles } from './inherited-files.ts';
import { LatePlan, PlanFiles } from './late-plan.ts';
import { isVisible } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
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
  const plans = new PlanFiles();
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
      const plan = new LatePlan(place, own, confinement, plans);
      const starter = starterFor(inherited, filter, plan);
      return entered(program, { place, bwrap, confinement, starter, plan, cwd });
    },
    close: () => {
      if (own !== null) removeScratchFolder(own.base);
      own = null;
      plans.close();
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
  readonly plan: LatePlan;
  readonly cwd: string;
}

// No core files: they would lie in the workspace with all that was in memory.
const NO_CORE_FILES = 'ulimit -c 0';
const FILTER_FD = '9';
const PLAN_FD = '8';

/** What starts bwrap, with the filter as an open file. Only bash can close files whose number has several digits; where its input is a socket, it would read the person's start-up file. */
function starterFor(inherited: readonly number[], filter: string, late: LatePlan): Starter {
  const opens = `${PLAN_FD}<${late.path}${filter === '' ? '' : ` ${FILTER_FD}<${filter}`}`;
  if (inherited.length === 0 || !existsSync('/bin/bash')) return { ...PLAIN_STARTER, prelude: NO_CORE_FILES, opens, late };
  const closing = `exec ${inherited.map((fd) => `${fd}>&-`).join(' ')}`;
  return { shell: ['/bin/bash', '--norc', '--noprofile', '-c'], prelude: `${closing}; ${NO_CORE_FILES}`, opens, late };
}

function entered(program: ProgramStart, { bwrap, place, confinement, starter, plan, cwd }: Entry): EnteredProgram {
  const filter = starter.opens.includes(`${FILTER_FD}<`) ? ['--seccomp', FILTER_FD] : [];
  // The namespaces stand here and the mounts there: were there none, there would be no program to run.
  const args = [...isolation(bwrap, confinement), '--args', PLAN_FD, '--chdir', cwd, ...filter];
  return {
    file: bwrap.file,
    args: [...args, '--', program.file, ...program.args],
    starter,
    env: innerEnvironment(program.env, place, confinement),
    isConfined: true,
    get refused() {
      return plan.command.refused;
    },
    // What is pinned can be written already, and is never to be moved.
    mayWrite: (path) => place.mode !== 'read-only' && !isPinned(path, plan.command) && mayWrite(path, place),
    isHidden: (path) => !isVisible(path, plan.command.mounts),
    planted: async () => plan.planted(),
  };
}

function isPinned(path: string, { mounts }: CommandMounts): boolean {
  return mounts.some((mount) => mount.kind === 'pinned' && mount.path === path);
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
