import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import { isWithin } from '../../core/footprint.ts';
import { configSettings, namesProgram } from '../git/config-keys.ts';
import { linkTarget } from '../process/find-program.ts';
import { randomName } from '../random-name.ts';
import { isBare } from './git-folder.ts';
import places from './places.json' with { type: 'json' };
import { namesIn, NESTED, protectedNames } from './protected-mounts.ts';
import type { Protection } from './protection.ts';
import { entryAt } from './visible-places.ts';

/** What no tool but git itself makes, and what would hand a repository to another configuration: it is moved aside. */
const NEVER_NEW = ['commondir', 'hooks', 'config.worktree'];

/** What a command may write, and what of it has to be looked after. */
export interface Watched {
  readonly open: readonly string[];
  readonly protection: Protection;
  readonly home: string;
}

/**
 * Remembers what runs on its own where a command may write. The answer puts back what must not change, and tells what is new or other
 * since then, a sentence each, for the model and the person.
 */
export function watchForPlanted({ open, protection, home }: Watched): () => string[] {
  const { absent, links, gitFolders } = protection;
  const looks = [
    ...links.map(watchLink),
    ...gitFolders.map(watchGitFolder),
    ...open.map((root) => watchNames(root, home)),
    watchAbsent(absent),
    ...open.map(watchForRepository),
  ];
  return () => looks.flatMap((look) => look());
}

type Look = () => string[];

/** A link cannot be mounted over, but it is known where it led. */
function watchLink(path: string): Look {
  const target = linkTarget(path);
  return () => (target === null || linkTarget(path) === target ? [] : [putBack(path, target)]);
}

function putBack(path: string, target: string): string {
  const told = `It changed the link ${path}, by which other programs could be run`;
  try {
    const aside = moveAside(path);
    symlinkSync(target, path);
    return `${told}: it leads to ${target} again${aside === null ? '' : `, and what stood there is now ${aside}`}. Tell the person.`;
  } catch (thrown) {
    return `${told}, and it could not be put back (${systemCodeOf(thrown)}): it led to ${target}. Tell the person before anything else.`;
  }
}

/** Moved away as it was made: with it, whatever git does next would run what the command left there. */
function watchGitFolder(folder: string): Look {
  const missing = NEVER_NEW.map((name) => join(folder, name)).filter((path) => markOf(path) === '');
  return () => missing.filter((path) => markOf(path) !== '').map(takeAway);
}

function takeAway(path: string): string {
  const told = `It made ${path}, by which git could run other programs`;
  try {
    return `${told}: it now stands as ${moveAside(path)}. Tell the person.`;
  } catch (thrown) {
    return `${told}, and it could not be moved aside (${systemCodeOf(thrown)}). Tell the person before anything else.`;
  }
}

/** The new place of what stands at a path, or null where nothing does. */
function moveAside(path: string): string | null {
  if (entryAt(path) === null) return null;
  const aside = join(dirname(path), `kept-aside-${basename(path)}-${randomName(4)}`);
  renameSync(path, aside);
  return aside;
}

function watchNames(root: string, home: string): Look {
  const marks = (): Map<string, string> => new Map(runningNames(root, home).map((name) => [name, markOf(join(root, name))]));
  const before = marks();
  return () =>
    toldNames([...marks()].filter(([name, mark]) => mark !== '' && mark !== (before.get(name) ?? '')).map(([name]) => name));
}

function runningNames(root: string, home: string): string[] {
  const ofHome = isWithin(home, root) ? places.startUpOfHome.map((name) => relative(root, join(home, name))) : [];
  const names = [...protectedNames(root).filter((name) => name !== '.git'), ...NESTED, ...ofHome];
  return [...new Set(names)];
}

function watchAbsent(paths: readonly string[]): Look {
  return () => toldNames(paths.filter((path) => markOf(path) !== ''));
}

function toldNames(made: readonly string[]): string[] {
  if (made.length === 0) return [];
  return [`It made ${made.join(', ')}, which other programs run later on their own: look at what is in there before you go on.`];
}

/** A repository that was made just now is as good as what it is told to run, which is nothing after a plain `git init`. */
function watchForRepository(root: string): Look {
  const folder = join(root, '.git');
  const hadFolder = markOf(folder) !== '';
  const wasBare = isBare(root);
  return () => [
    ...(!hadFolder && markOf(folder) !== '' && runsPrograms(folder) ? [newRepository(folder)] : []),
    ...(!wasBare && isBare(root) && runsPrograms(root) ? [newRepository(root)] : []),
  ];
}

function newRepository(folder: string): string {
  return `It made a git repository that runs programs of its own (${folder}/hooks, ${folder}/config): look at them before you use git here.`;
}

function runsPrograms(folder: string): boolean {
  // A file or a link leads to a repository elsewhere, and nothing is known of that one.
  if (entryAt(folder)?.isDirectory() !== true) return true;
  if (['commondir', 'config.worktree'].some((name) => entryAt(join(folder, name)) !== null)) return true;
  if (namesIn(join(folder, 'hooks')).some((name) => !name.endsWith('.sample'))) return true;
  return configSettings(textOf(join(folder, 'config'))).some(namesProgram);
}

/** Tells one file from another that took its name, and one link from another. Empty where there is none. */
function markOf(path: string): string {
  const entry = entryAt(path);
  if (entry === null) return '';
  return entry.isSymbolicLink() ? `to ${linkTarget(path)}` : `${entry.dev}:${entry.ino}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
