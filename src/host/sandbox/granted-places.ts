import { dirname, join } from 'node:path';
import { isWithin } from '../../core/footprint.ts';
import type { Confinement } from '../../core/permission.ts';
import type { Mount } from './mount-plan.ts';
import places from './places.json' with { type: 'json' };
import { rootsOf, type SandboxPlace } from './sandbox.ts';
import { entryAt, existing } from './visible-places.ts';

/** What a grant opens, and what it cannot, a sentence each. */
export interface GrantedPlaces {
  readonly mounts: readonly Mount[];
  readonly refused: readonly string[];
}

/** What may be written and read besides the workspace. A grant of too much opens nothing: a person was asked for one place, not for all around it. */
export function grantedPlaces(place: SandboxPlace, { readable, writable, writes }: Confinement): GrantedPlaces {
  const isOpen = (path: string): boolean => writes !== 'nothing' && rootsOf(place).some((root) => isWithin(path, root));
  const written = writable.map((path) => ({ path, opened: openedFor(path) }));
  const kept = written.filter(({ opened }) => opened !== null && mayWrite(opened, place));
  const reads = readable.filter((path) => existing(path) === path && !isOpen(path));
  const refused = [
    ...written.filter((grant) => !kept.includes(grant)),
    ...reads.filter((path) => !mayRead(path, place)).map((path) => ({ path, opened: path })),
  ];
  return {
    mounts: [
      ...reads.filter((path) => mayRead(path, place)).map((path): Mount => ({ kind: 'readable', path })),
      ...kept.map(({ opened }): Mount => ({ kind: 'writable', path: opened as string })),
    ],
    refused: refused
      .filter(({ path, opened }) => !isOpen(path) && !hasOwn(opened ?? path))
      .map(({ path, opened }) => refusal(path, opened)),
  };
}

/** True for what a command has of its own, or sees anyway: nothing has to be opened there, and nothing told. */
function hasOwn(path: string): boolean {
  return places.scratch.includes(path) || path === '/' || ['/dev', '/proc', '/sys'].some((folder) => isWithin(path, folder));
}

function refusal(path: string, opened: string | null): string {
  const around = opened === null || opened === path ? '' : ` (it is not there, so ${opened} would have to be)`;
  return `${path} cannot be opened to a command${around}: too much depends on it. What is to be done there is for the person to do.`;
}

/** A real path as it was judged, or the nearest folder around it where nothing stands yet; null where it has come to lead elsewhere. */
function openedFor(path: string): string | null {
  if (entryAt(path) !== null) return existing(path) === path ? path : null;
  const around = dirname(path);
  return around === path ? null : openedFor(around);
}

/** True for what may be opened for writing where a person said so: no home, no system, nothing of ours, nothing around the workspace. */
export function mayWrite(path: string, place: SandboxPlace): boolean {
  const roots = rootsOf(place);
  if (roots.includes(path)) return true;
  return isOrdinary(path) && !isOwn(path, place) && !roots.some((root) => isWithin(root, path)) && !isReserved(path, place);
}

function mayRead(path: string, place: SandboxPlace): boolean {
  // What commands said at length is kept beside our sessions, and is for them to read.
  if (isWithin(path, join(place.state, 'output'))) return true;
  return isOrdinary(path) && !isOwn(path, place) && !isReserved(path, place, ['/etc', '/usr', '/boot', '/var']);
}

/** No device, no socket, no pipe. */
function isOrdinary(path: string): boolean {
  const entry = entryAt(path);
  return entry !== null && (entry.isDirectory() || entry.isFile());
}

function isOwn(path: string, { home, state, config, environment }: SandboxPlace): boolean {
  if ([home, environment['HOME'] ?? home].some((folder) => isWithin(folder, path))) return true;
  return [state, config].some((folder) => isWithin(folder, path) || isWithin(path, folder));
}

function isReserved(path: string, { workspace }: SandboxPlace, except: readonly string[] = []): boolean {
  const isExcepted = [...places.exceptWithin, ...except].some((folder) => isWithin(path, folder));
  // A workspace may itself lie in such a place, and then what is beside it is judged like anything else.
  return (
    (places.never.includes(path) && !except.includes(path)) ||
    (!isExcepted && places.neverWithin.some((folder) => isWithin(path, folder) && !isWithin(workspace, folder)))
  );
}
