import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GitAccess, GitRefusal, GitRepository } from '../core/ports.ts';

/** A setting that comes with a repository, and not from the person's own configuration. */
export interface RepositorySetting {
  readonly key: string;
  readonly value: string;
}

/** What is to be known of a repository before git runs in it. Null lists could not be read. */
export type RepositoryLook =
  | GitRefusal
  | {
      readonly root: string;
      readonly settings: readonly RepositorySetting[] | null;
      /** The files that it tracks at or below the folder, by real path: what git shows the content of. */
      readonly tracked: readonly string[] | null;
    };

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_KEPT = 50;

/** Looks at repositories, and keeps what it saw for as long as nothing there has changed. */
export class RepositoryLooks {
  readonly #git: GitAccess;
  readonly #kept = new Map<string, { readonly stamp: string; readonly look: Promise<RepositoryLook> }>();

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
    // What an include brings in can change elsewhere.
    if (!('settings' in seen) || seen.settings?.some(({ key }) => key.startsWith('include')) !== false) this.#kept.delete(folder);
    return seen;
  }
}

async function lookAt(git: GitAccess, folder: string): Promise<RepositoryLook> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const repository = await git.open(folder, signal);
  if ('refusal' in repository) return repository;
  const [listing, names] = await Promise.all([
    fieldsOf(repository, ['config', '--list', '--includes', '--show-scope', '-z'], signal),
    fieldsOf(repository, ['ls-files', '-z'], signal),
  ]);
  return {
    root: repository.root,
    settings:
      listing?.flatMap((scope, i) => (i % 2 === 0 && isOfRepository(scope) ? [settingOf(listing[i + 1] ?? '')] : [])) ?? null,
    tracked: names?.map((name) => join(repository.path, name)) ?? null,
  };
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

/** What git writes between NULs, or null where it failed or wrote too much. */
async function fieldsOf(
  repository: GitRepository,
  args: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const onOutput = (bytes: Uint8Array): boolean => {
    chunks.push(bytes);
    size += bytes.length;
    return size <= MAX_BYTES;
  };
  const { exitCode } = await repository.run({ args, timeoutMs: TIMEOUT_MS, signal, onOutput });
  return exitCode === 0 ? Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1) : null;
}

function isOfRepository(scope: string): boolean {
  return scope === 'local' || scope === 'worktree';
}

function settingOf(entry: string): RepositorySetting {
  const [key = '', ...value] = entry.split('\n');
  return { key, value: value.join('\n') };
}
