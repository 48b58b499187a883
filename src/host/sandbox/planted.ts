import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { randomName } from '../random-name.ts';
import { protectedNames } from './protected-mounts.ts';
import { entryAt } from './visible-places.ts';

/** What no tool but git itself makes, and what would hand a repository to another configuration: it is moved aside. */
const NEVER_NEW = ['commondir', 'hooks', 'config.worktree'];
const RUNNING_KEYS =
  /fsmonitor|hookspath|sshcommand|pager|editor|askpass|\[\s*(?:alias|credential|diff|filter|include|includeif|merge)/i;

/** Remembers what runs on its own in a workspace; the answer tells what is new or other since then, a sentence each, for the model and the person. */
export function watchForPlanted(root: string): () => string[] {
  const before = marksOf(root);
  const git = markOf(join(root, '.git'));
  const gitBefore = gitMarks(root);
  return () => [...newNames(root, before), ...(git === '' ? newRepository(root) : takenAside(root, gitBefore))];
}

type Marks = ReadonlyMap<string, string>;

function marksOf(root: string): Marks {
  const names = [...protectedNames(root).filter((name) => name !== '.git'), join('.github', 'workflows')];
  return new Map(names.map((name) => [name, markOf(join(root, name))]));
}

function gitMarks(root: string): Marks {
  return new Map(NEVER_NEW.map((name) => [name, markOf(join(root, '.git', name))]));
}

/** Tells one file from another that took its name. Empty where there is none. */
function markOf(path: string): string {
  const entry = entryAt(path);
  return entry === null ? '' : `${entry.dev}:${entry.ino}`;
}

function newNames(root: string, before: Marks): string[] {
  const made = [...marksOf(root)]
    .filter(([name, mark]) => mark !== '' && mark !== (before.get(name) ?? ''))
    .map(([name]) => name);
  if (made.length === 0) return [];
  return [`It made ${made.join(', ')}, which other programs run later on their own: look at what is in there before you go on.`];
}

/** A repository that was made just now is as good as what it is told to run, which is nothing after a plain `git init`. */
function newRepository(root: string): string[] {
  const folder = join(root, '.git');
  if (markOf(folder) === '') return [];
  const runs =
    namesIn(join(folder, 'hooks')).some((name) => !name.endsWith('.sample')) || RUNNING_KEYS.test(textOf(join(folder, 'config')));
  return runs
    ? ['It made a git repository that runs programs of its own (.git/hooks, .git/config): look at them before you use git here.']
    : [];
}

/** Moved away as it was made: with it, whatever git does next would run what the command left there. */
function takenAside(root: string, before: Marks): string[] {
  return [...before]
    .filter(([name, mark]) => mark === '' && markOf(join(root, '.git', name)) !== '')
    .map(([name]) => {
      const aside = `kept-aside-${name}-${randomName(4)}`;
      renameSync(join(root, '.git', name), join(root, '.git', aside));
      return `It made .git/${name}, by which git could run other programs: it now stands as .git/${aside}. Tell the person.`;
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
