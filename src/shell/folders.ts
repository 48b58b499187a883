import { resolve } from 'node:path';
import type { PathUse, ShellFacts } from './report.ts';
import type { ShellWord } from './shell-word.ts';

/** Where the shell may stand at a place in a command; null where that is unknown. More than one where a `cd` may have failed. */
export type Folders = readonly string[] | null;

const MAX_FOLDERS = 4;

/** A place in a command: where the shell may stand, and from what it started. */
export interface Place {
  readonly folders: Folders;
  readonly facts: ShellFacts;
}

/** What of a path is touched. */
export interface Extent {
  readonly isDeep: boolean;
  readonly isContent: boolean;
}

export const FILE: Extent = { isDeep: false, isContent: true };
export const TREE: Extent = { isDeep: true, isContent: true };
export const NAME: Extent = { isDeep: false, isContent: false };
export const NAMES_BELOW: Extent = { isDeep: true, isContent: false };

/** All folders of both. */
export function eitherFolders(some: Folders, others: Folders): Folders {
  if (some === null || others === null) return null;
  const all = [...new Set([...some, ...others])];
  return all.length > MAX_FOLDERS ? null : all;
}

export function areSameFolders(some: Folders, others: Folders): boolean {
  if (some === null || others === null) return some === others;
  return some.length === others.length && some.every((folder) => others.includes(folder));
}

/** Where `cd` leads; bash takes `..` by name and not by link. */
export function foldersAfterCd(target: string, { folders }: Place): Folders {
  if (folders === null) return target.startsWith('/') ? [resolve(target)] : null;
  return [...new Set(folders.map((folder) => resolve(folder, target)))];
}

/** The paths that a word of a command stands for, one for each folder that the shell may stand in. */
export function pathsOf(word: ShellWord, place: Place, extent: Extent): readonly PathUse[] {
  if (word.kind === 'pipe') return [];
  if (word.oneOf !== undefined) return word.oneOf.flatMap((one) => pathsOf(one, place, extent));
  if (word.value !== null) return pathsAt(word.value, place, extent);
  if (word.below !== undefined) return word.below.flatMap((folder) => pathsAt(folder, place, { ...extent, isDeep: true }));
  if (word.kind !== 'pattern') return [{ path: null, ...extent }];
  const folder = folderOfPattern(word);
  if (folder === null) return [{ path: null, ...extent }];
  const namesLike = extent.isDeep ? null : namesOfPattern(word);
  const uses = pathsAt(folder, place, { ...extent, isDeep: true });
  return namesLike === null ? uses : uses.map((use) => ({ ...use, namesLike }));
}

/** The last part of a plain pattern whose folders are no pattern; null for others. */
function namesOfPattern({ text }: ShellWord): string | null {
  return /^(?:[\w.-]*\/)*([\w*?-][\w.*?-]*)$/.exec(text)?.[1] ?? null;
}

/** The paths that a known name stands for. Devices that hold nothing and the standard streams are none. */
export function pathsAt(name: string, { folders, facts }: Place, extent: Extent): readonly PathUse[] {
  if (isStream(name)) return [];
  if (name.startsWith('/')) return [{ path: join('/', name, facts), ...extent }];
  if (folders === null || folders.length === 0) return [{ path: null, ...extent }];
  return folders.map((folder) => ({ path: join(folder, name, facts), ...extent }));
}

/** The folder in which all that matches a pattern lies; null where the pattern may climb out of it. */
function folderOfPattern({ text, start }: ShellWord): string | null {
  const folder = start.slice(0, start.lastIndexOf('/') + 1);
  const rest = text.slice(Math.max(0, text.search(/[*?[]|[@!+?*]\(/)));
  const lastSegment = start.slice(folder.length) + rest;
  // A pattern such as .* also matches the folder above.
  if (lastSegment.startsWith('.') || /\/\.|\.\./.test(rest)) return null;
  return folder === '' ? '.' : folder;
}

function isStream(name: string): boolean {
  return /^\/dev\/(?:null|stdin|stdout|stderr|zero|fd\/\d+)$/.test(name);
}

/** Joins, but gives up where `..` climbs out of a folder that may be a link: its parent is not the one that its name tells. */
function join(folder: string, name: string, { cwd, home }: ShellFacts): string | null {
  let at = folder;
  for (const segment of name.split('/')) {
    if (segment === '..' && !isReal(at, cwd) && !isReal(at, home)) return null;
    at = resolve(at, segment === '' ? '.' : segment);
  }
  return at;
}

/** The start is a real path, and so is each folder above it. */
function isReal(folder: string, start: string): boolean {
  return start === folder || folder === '/' || start.startsWith(`${folder}/`);
}
