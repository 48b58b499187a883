import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import type { Mount } from './mount-plan.ts';
import names from '../files/protected-names.json' with { type: 'json' };
import places from './places.json' with { type: 'json' };
import type { SandboxPlace } from './sandbox.ts';

const TOOL_FOLDERS: ReadonlySet<string> = new Set(['bin', 'sbin', 'shims']);
/** What commands never see of a home, as paths from there: also all that agents keep. */
export const HOME_SECRETS: readonly string[] = [...names.secretsOfHome, ...places.homeSecrets];
const BESIDE_TOOLS = ['lib', 'libexec', 'share'];

/** The real place of what is there, or null. */
export function existing(path: string): string | null {
  try {
    // Most of what is asked for is not there, and to throw costs far more than to look.
    return statSync(path, { throwIfNoEntry: false }) === undefined ? null : realpathSync.native(path);
  } catch {
    return null;
  }
}

/** What stands at a path itself, were it a link, or null. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    // Below a file, or in a folder that cannot be looked into.
    return null;
  }
}

/** True for what is there and no link: a link cannot be mounted over, and what it leads to is not ours to guess. */
export function isPlain(path: string): boolean {
  return entryAt(path)?.isSymbolicLink() === false;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Homes, runtime folders and scratch space: where secrets, sockets and other people's work are. */
export function hiddenPlaces({ home, environment }: SandboxPlace): Mount[] {
  const homes = [home, environment['HOME'] ?? home];
  return [...places.hidden, ...homes]
    .map(existing)
    .filter((path) => path !== null && path !== '/' && isFolder(path))
    .map((path) => ({ kind: 'hidden', path: path as string }));
}

/** What programs need of the hidden places: version managers, what is on PATH, certificates, the settings of git. */
export function toolPlaces(place: SandboxPlace): Mount[] {
  const { home, environment } = place;
  const named = places.toolVariables.map((name) => environment[name]);
  const onPath = (environment['PATH'] ?? '').split(':').flatMap((folder) => toolFolder(folder, home));
  const candidates = [
    ...places.homeTools.map((name) => join(home, name)),
    ...named,
    ...onPath,
    ...toolFolder(dirname(process.execPath), home),
  ];
  const shown = candidates.filter(
    (path) => path !== undefined && path.startsWith('/') && existing(path) !== null && isInnocent(path, place),
  );
  return [...places.neededInRun.filter((path) => existing(path) !== null), ...(shown as string[])].map((path) => ({
    kind: 'readable',
    path,
  }));
}

/** For `…/bin` the folder around it, where that holds its libraries too; otherwise it may hold anything. */
function toolFolder(folder: string, home: string): string[] {
  if (!folder.startsWith('/')) return [];
  const around = dirname(folder);
  const isPlain = places.plainFolders.some((name) => join(home, name) === around) || !isWithin(around, home);
  const isToolchain = !isPlain && TOOL_FOLDERS.has(basename(folder)) && BESIDE_TOOLS.some((name) => isFolder(join(around, name)));
  return [isToolchain ? around : folder];
}

/** Neither around nor inside of what holds secrets, and no part of the workspace, which has rules of its own. */
function isInnocent(path: string, { home, state, config, workspace, addDirs }: SandboxPlace): boolean {
  if ([home, workspace, ...addDirs].some((folder) => isWithin(folder, path))) return false;
  if ([workspace, ...addDirs].some((folder) => isWithin(path, folder))) return false;
  const secrets = [
    state,
    config,
    ...HOME_SECRETS.filter((name) => !places.toolSecrets.includes(name)).map((name) => join(home, name)),
  ];
  return !secrets.some((secret) => isWithin(secret, path) || isWithin(path, secret));
}

/** Secrets and our own folders, to be covered wherever they would be seen. */
export function secretPlaces({ home, state, config }: SandboxPlace): Mount[] {
  const system = process.getuid?.() === 0 ? names.systemSecrets : [];
  return [...[...HOME_SECRETS, ...places.toolSecrets].map((name) => join(home, name)), ...system, state, config]
    .map(existing)
    .filter((path) => path !== null)
    .map((path) => ({ kind: isFolder(path) ? 'hidden' : 'blank', path }));
}
