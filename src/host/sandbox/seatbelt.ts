import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../core/permission.ts';
import places from './places.json' with { type: 'json' };
import { watchForPlanted } from './planted.ts';
import { protectedNames } from './protected-mounts.ts';
import { noSandbox, type Sandbox, type SandboxPlace, strictest, unconfined } from './sandbox.ts';

const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

/** The sandbox of macOS, by a profile for each command. */
export function openSeatbelt(place: SandboxPlace): Sandbox {
  if (!existsSync(SANDBOX_EXEC)) return noSandbox('This macOS has no sandbox-exec.');
  return {
    kind: 'seatbelt',
    why: null,
    enter: async (program, granted) => {
      const confinement = strictest(place.mode, granted);
      if (confinement === null) return unconfined(program);
      const seen = confinement.writes === 'nothing' ? [] : rootsOf(place).map(watchForPlanted);
      return {
        ...program,
        file: SANDBOX_EXEC,
        args: ['-p', seatbeltProfile(place, confinement), program.file, ...program.args],
        isConfined: true,
        planted: async () => seen.flatMap((look) => look()),
      };
    },
    close: () => undefined,
  };
}

/** The rules for one command; the last rule that matches holds. */
export function seatbeltProfile(place: SandboxPlace, confinement: Confinement): string {
  const roots = rootsOf(place);
  const mayWrite = confinement.writes === 'nothing' ? [] : roots;
  const secrets = [...places.homeSecrets.map((name) => join(place.home, name)), place.state, place.config];
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
    deny('file-write*', mayWrite.flatMap(rulingPlaces)),
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

function rootsOf({ workspace, addDirs }: SandboxPlace): string[] {
  return [workspace, ...addDirs].filter((root) => root !== '/');
}

function rulingPlaces(root: string): string[] {
  const names = protectedNames(root).filter((name) => name.toLowerCase() !== '.git');
  const git = ['hooks', 'config', 'config.worktree', 'modules', 'commondir'].map((name) => join('.git', name));
  return [...names, ...git, '.github/workflows'].map((name) => join(root, name));
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
