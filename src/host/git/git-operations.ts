import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GitOperation } from '../../core/ports.ts';
import { createLocalFiles } from '../files/local-files.ts';

const MAX_BYTES = 4096;

/** What a repository is in the middle of. Source: wt-status.c of git 2.39, wt_status_get_state. */
export async function operationsIn(gitFolder: string): Promise<GitOperation[]> {
  const folder = openGitFolder(gitFolder);
  const found = await Promise.all([
    rebase(folder),
    headed(folder, 'merge', 'MERGE_HEAD'),
    headed(folder, 'cherry-pick', 'CHERRY_PICK_HEAD'),
    headed(folder, 'revert', 'REVERT_HEAD'),
    bisect(folder),
  ]);
  return found.filter((operation) => operation !== null);
}

interface GitFolder {
  has(name: string): boolean;
  /** The lines of a small file; none where it cannot be read: they give a detail only, and git may end the operation in between. */
  lines(name: string): Promise<readonly string[]>;
}

function openGitFolder(gitFolder: string): GitFolder {
  const files = createLocalFiles({ tracksSeen: false });
  return {
    has: (name) => existsSync(join(gitFolder, name)),
    lines: async (name) => {
      const bytes = await files.read(join(gitFolder, name), { start: 0, length: MAX_BYTES }).catch(() => new Uint8Array());
      return new TextDecoder()
        .decode(bytes)
        .split('\n')
        .filter((line) => line !== '');
    },
  };
}

async function headed(folder: GitFolder, kind: GitOperation['kind'], name: string): Promise<GitOperation | null> {
  if (!folder.has(name)) return null;
  const heads = await folder.lines(name);
  return { kind, detail: heads.length === 0 ? null : `of ${heads.join(', ')}` };
}

async function rebase(folder: GitFolder): Promise<GitOperation | null> {
  if (folder.has('rebase-merge')) return stepwise(folder, 'rebase', ['rebase-merge', 'msgnum', 'end']);
  if (!folder.has('rebase-apply')) return null;
  const kind = folder.has('rebase-apply/applying') ? 'am' : 'rebase';
  return stepwise(folder, kind, ['rebase-apply', 'next', 'last']);
}

async function stepwise(
  folder: GitFolder,
  kind: GitOperation['kind'],
  [state, at, last]: readonly [string, string, string],
): Promise<GitOperation> {
  const [head, onto, step, steps] = await Promise.all(
    ['head-name', 'onto', at, last].map(async (name) => (await folder.lines(`${state}/${name}`))[0]),
  );
  const parts = [
    head === undefined ? null : `of ${head.replace(/^refs\/heads\//, '')}`,
    onto === undefined ? null : `onto ${onto}`,
    step === undefined || steps === undefined ? null : `step ${step} of ${steps}`,
  ].filter((part) => part !== null);
  return { kind, detail: parts.length === 0 ? null : parts.join(', ') };
}

async function bisect(folder: GitFolder): Promise<GitOperation | null> {
  if (!folder.has('BISECT_LOG')) return null;
  const [start] = await folder.lines('BISECT_START');
  return { kind: 'bisect', detail: start === undefined ? null : `started from ${start}` };
}
