import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitAccess, GitRefusal, GitRepository } from '../../core/ports.ts';
import type { ConfigSetting } from '../../host/git/config-keys.ts';
import { gitFields } from './git-fields.ts';
import { holdToken } from './git-tokens.ts';
import { lenientRealPath } from '../lenient-real-path.ts';
import { isCommit, namesInHistory } from './repository-history.ts';

/** A repository that stands in another as one of its entries: git looks into it, and obeys its configuration, whenever it looks at the outer one. */
export interface InnerRepository {
  readonly folder: string;
  /** Those that come with it, and not from the person's own configuration. Null where they could not be read. */
  readonly settings: readonly ConfigSetting[] | null;
}

/** What is to be known of a repository before git runs in it. Null lists could not be read. */
export interface RepositorySeen {
  readonly root: string;
  /** Those that come with it, as in `inner`. */
  readonly settings: readonly ConfigSetting[] | null;
  /** All files that it tracks, by real path: what git shows the content of, from whatever folder in it. */
  readonly tracked: readonly string[] | null;
  readonly inner: readonly InnerRepository[];
  /** True where the configuration, the person's own too, holds what logs in to a server. */
  readonly holdsToken: boolean;
}

export type RepositoryLook = GitRefusal | RepositorySeen;

const TIMEOUT_MS = 10_000;
const MAX_INNER = 30;
const MAX_KEPT = 50;

/** Looks at repositories, and keeps what it saw for as long as nothing there has changed. */
export class RepositoryLooks {
  readonly #git: GitAccess;
  readonly #kept = new Map<string, { readonly stamp: string; readonly look: Promise<RepositoryLook> }>();

  readonly #pasts = new Map<string, readonly string[]>();

  constructor(git: GitAccess) {
    this.#git = git;
  }

  async at(folder: string): Promise<RepositoryLook> {
    const stamp = await stampOf(folder);
    const kept = this.#kept.get(folder);
    if (kept !== undefined && kept.stamp === stamp) return kept.look;
    const look = lookAt(this.#git, folder);
    if (stamp !== null && this.#kept.size < MAX_KEPT) this.#kept.set(folder, { stamp, look });
    const seen = await look;
    if (!isLasting(seen)) this.#kept.delete(folder);
    return seen;
  }

  /** The files that the repository of a folder ever tracked, by path; null where its past cannot be looked through, or not in time. */
  async past(folder: string): Promise<readonly string[] | null> {
    const repository = await this.#git.open(folder, AbortSignal.timeout(TIMEOUT_MS));
    return 'refusal' in repository ? null : namesInHistory(repository, this.#pasts);
  }

  /** Whether all these ids are of commits or tags of the repository of a folder, whose files its past names. */
  async areCommits(folder: string, ids: readonly string[]): Promise<boolean> {
    if (ids.length === 0) return true;
    const repository = await this.#git.open(folder, AbortSignal.timeout(TIMEOUT_MS));
    if ('refusal' in repository) return false;
    return (await Promise.all(ids.map((id) => isCommit(repository, id)))).every(Boolean);
  }
}

/** What an include brings in, and what stands in an inner repository, can change elsewhere. */
function isLasting(look: RepositoryLook): boolean {
  if (!('settings' in look) || look.inner.length > 0) return false;
  return look.settings?.some(({ key }) => key.startsWith('include')) === false;
}

async function lookAt(git: GitAccess, folder: string): Promise<RepositoryLook> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const repository = await git.open(folder, signal);
  if ('refusal' in repository) return repository;
  const { root } = repository;
  const [settings, entries] = await Promise.all([settingsOf(repository, signal), entriesOf(git, repository, signal)]);
  return {
    root,
    settings: settings?.filter(({ scope }) => isOfRepository(scope)) ?? null,
    tracked: entries?.map(({ name }) => join(root, name)) ?? null,
    inner: await innerOf(git, entries === null ? [] : linksIn(root, entries), signal),
    holdsToken: holdToken(settings ?? []),
  };
}

interface ScopedSetting extends ConfigSetting {
  readonly scope: string;
}

async function settingsOf(repository: GitRepository, signal: AbortSignal): Promise<readonly ScopedSetting[] | null> {
  const listing = await gitFields(repository, ['config', '--list', '--includes', '--show-scope', '-z'], signal);
  return listing?.flatMap((scope, i) => (i % 2 === 0 ? [{ scope, ...settingOf(listing[i + 1] ?? '') }] : [])) ?? null;
}

interface IndexEntry {
  readonly name: string;
  readonly isRepository: boolean;
}

/** All that the index names, by its path from the top: seen from a folder, git lists only what is below that. */
async function entriesOf(git: GitAccess, repository: GitRepository, signal: AbortSignal): Promise<readonly IndexEntry[] | null> {
  const top = repository.path === repository.root ? repository : await git.open(repository.root, signal);
  if ('refusal' in top) return null;
  const entries = await gitFields(top, ['ls-files', '--stage', '-z'], signal);
  return (
    entries?.map((entry) => ({ name: entry.slice(entry.indexOf('\t') + 1), isRepository: entry.startsWith('160000 ') })) ?? null
  );
}

function linksIn(root: string, entries: readonly IndexEntry[]): string[] {
  return entries.filter(({ isRepository }) => isRepository).map(({ name }) => join(root, name));
}

/** The repositories at these folders and in those, whose settings git obeys when it looks for changes. One that is not there has none. */
async function innerOf(git: GitAccess, folders: readonly string[], signal: AbortSignal): Promise<readonly InnerRepository[]> {
  const seen: InnerRepository[] = [];
  const waiting = [...folders];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (seen.length === MAX_INNER) return [...seen, { folder, settings: null }];
    const real = await lenientRealPath(folder);
    const inner = await git.open(real, signal);
    const isThere = 'refusal' in inner ? inner.refusal !== 'no_repository' : inner.root === real;
    if (!isThere) seen.push({ folder, settings: [] });
    else if ('refusal' in inner) seen.push({ folder, settings: null });
    else {
      const [settings, entries] = await Promise.all([settingsOf(inner, signal), entriesOf(git, inner, signal)]);
      const own = settings?.filter(({ scope }) => isOfRepository(scope)) ?? null;
      seen.push({ folder, settings: entries === null ? null : own });
      waiting.push(...linksIn(real, entries ?? []));
    }
  }
  return seen;
}

/**
 * Changes whenever a look may show something else: by the times of each folder up to the repository, in which another one could turn up,
 * and of its configuration and index. These are times of change, which nobody can set. Null where the repository is kept elsewhere.
 */
async function stampOf(folder: string): Promise<string | null> {
  const stamps: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    stamps.push(await changeOf(at));
    const dotGit = await lstat(join(at, '.git')).catch(() => null);
    if (dotGit !== null) {
      if (!dotGit.isDirectory()) return null;
      const files = ['', 'config', 'config.worktree', 'index'].map((name) => changeOf(join(at, '.git', name)));
      return [...stamps, ...(await Promise.all(files))].join(' ');
    }
    if (at === dirname(at)) return null;
  }
}

async function changeOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  return stats === null ? '-' : `${stats.ino}:${stats.ctimeNs}:${stats.size}`;
}

function isOfRepository(scope: string): boolean {
  return scope === 'local' || scope === 'worktree';
}

function settingOf(entry: string): ConfigSetting {
  const [key = '', ...value] = entry.split('\n');
  return { key, value: value.join('\n') };
}
