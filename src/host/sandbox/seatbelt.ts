import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../core/permission.ts';
import { PLAIN_STARTER } from '../process/output-pipe.ts';
import { protectionOf } from './command-mounts.ts';
import { grantedPlaces, mayWrite } from './granted-places.ts';
import type { Mount } from './mount-plan.ts';
import { watchForPlanted } from './planted.ts';
import { NESTED, protectedNames } from './protected-mounts.ts';
import { HOME_SECRETS } from './visible-places.ts';
import { homeNotes, noSandbox, rootsOf, type Sandbox, type SandboxPlace, strictest, unconfined } from './sandbox.ts';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** The sandbox of macOS, by a profile for each command. */
export function openSeatbelt(place: SandboxPlace): Sandbox {
  if (!existsSync(SANDBOX_EXEC)) return noSandbox('This macOS has no sandbox-exec.');
  return {
    kind: 'seatbelt',
    why: null,
    notes: homeNotes(place),
    enter: async (program, granted) => {
      const confinement = strictest(place.mode, granted);
      if (confinement === null) return unconfined(program);
      const { mounts, refused } = grantedPlaces(place, confinement);
      const open = confinement.writes === 'nothing' ? [] : rootsOf(place);
      const look = watchForPlanted({ open, protection: protectionOf(open, place.home), home: place.home });
      return {
        ...program,
        file: SANDBOX_EXEC,
        args: ['-p', seatbeltProfile(place, { ...confinement, ...grantsOf(mounts) }), program.file, ...program.args],
        starter: PLAIN_STARTER,
        isConfined: true,
        refused,
        mayWrite: (path) => place.mode !== 'read-only' && mayWrite(path, place),
        isHidden: () => false,
        planted: async () => look(),
      };
    },
    close: () => undefined,
  };
}

function grantsOf(mounts: readonly Mount[]): Pick<Confinement, 'readable' | 'writable'> {
  const paths = (wanted: Mount['kind']): string[] => mounts.filter(({ kind }) => kind === wanted).map(({ path }) => path);
  return { readable: paths('readable'), writable: paths('writable') };
}

/** The rules for one command; the last rule that matches holds. */
export function seatbeltProfile(place: SandboxPlace, confinement: Confinement): string {
  const roots = rootsOf(place);
  const mayWrite = confinement.writes === 'nothing' ? [] : roots;
  const secrets = [...HOME_SECRETS.map((name) => join(place.home, name)), place.state, place.config];
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    allow('file-write*', [
      '/dev/null',
      '/dev/zero',
      '/dev/tty',
      realpathSync(tmpdir()),
      join(place.home, 'Library/Caches'),
      ...mayWrite,
    ]),
    deny('file-write*', [...mayWrite.flatMap(rulingPlaces), ...protectedPlaces(mayWrite, place.home)]),
    deny('file-read*', secrets),
    allow('file-read*', confinement.readable),
    allow('file-read* file-write*', confinement.writable),
    ...(confinement.network ? [] : ['(deny network*)', '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))']),
    '(deny appleevent-send)',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd"))',
  ]
    .filter((rule) => rule !== '')
    .join('\n');
}

function protectedPlaces(roots: readonly string[], home: string): string[] {
  const { mounts, links } = protectionOf(roots, home);
  return [...new Set([...mounts.filter(({ kind }) => kind === 'readable').map(({ path }) => path), ...links])];
}

function rulingPlaces(root: string): string[] {
  const names = protectedNames(root).filter((name) => name.toLowerCase() !== '.git');
  const git = ['hooks', 'config', 'config.worktree', 'modules', 'commondir'].map((name) => join('.git', name));
  return [...names, ...git, ...NESTED].map((name) => join(root, name));
}

function allow(what: string, paths: readonly string[]): string {
  return rule('allow', what, paths);
}

function deny(what: string, paths: readonly string[]): string {
  return rule('deny', what, paths);
}

function rule(verb: string, what: string, paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return `(${verb} ${what}\n${paths.map((path) => `  (subpath ${JSON.stringify(path)})`).join('\n')})`;
}
