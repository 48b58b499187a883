import { lstatSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isWithin } from '../core/footprint.ts';
import { lenientRealPath } from './lenient-real-path.ts';

const MAX_LINKS = 40;
// Where tools look for what governs them.
const TOP_FOLDERS = ['.', '.github'];

/** A link, and where it really leads. */
export interface NamedLink {
  readonly link: string;
  readonly target: string;
}

/**
 * The names under which a path is reached before it is real: as written, and after each link on the way but the last.
 * A tool may look for any of them. None where no link is on the way.
 */
export function linkSteps(path: string): readonly string[] {
  const steps: string[] = [];
  const names = path.split('/');
  let at = '/';
  while (names.length > 0 && steps.length < MAX_LINKS) {
    const name = names.shift() ?? '';
    const next = name === '..' ? dirname(at) : join(at, name);
    const target = name === '' || name.startsWith('..') ? null : linkTarget(next);
    if (target === null) at = next;
    else {
      steps.push(join(next, ...names));
      names.unshift(...target.split('/'));
      if (target.startsWith('/')) at = '/';
    }
  }
  return steps;
}

// Each part of each path of each call is asked: a turn through the thread pool would cost ten times the look.
function linkTarget(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** The links at the top of folders, where what governs tools lies mostly. */
export async function topLinks(roots: readonly string[]): Promise<readonly NamedLink[]> {
  const folders = roots.flatMap((root) => TOP_FOLDERS.map((name) => join(root, name)));
  const found = await Promise.all(folders.map(linksIn));
  return found.flat();
}

/** The names under which links reach a real path. */
export function aliasesOf(path: string, links: readonly NamedLink[]): readonly string[] {
  return links.flatMap(({ link, target }) => (isWithin(path, target) ? [join(link, relative(target, path))] : []));
}

async function linksIn(folder: string): Promise<readonly NamedLink[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
  return Promise.all(links.map(async (link) => ({ link, target: await lenientRealPath(link) })));
}
