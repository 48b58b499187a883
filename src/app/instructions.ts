import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { trustRoot } from '../permissions/trust.ts';
import type { UserFolders } from './user-folders.ts';

export interface Instructions {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Instruction files that were left alone because the folder is not trusted. */
  readonly untrusted: readonly string[];
}

const MAX_INSTRUCTION_CHARS = 40_000;

/** The user's own AGENTS.md, then those from the repository's root down to the working folder; CLAUDE.md where a folder has no AGENTS.md. */
export async function readInstructions(cwd: string, folders: UserFolders, isTrusted: boolean): Promise<Instructions> {
  const own = existing([join(folders.config, 'AGENTS.md')]);
  const project = foldersDownTo(cwd).flatMap((folder) => existing([join(folder, 'AGENTS.md'), join(folder, 'CLAUDE.md')]));
  const paths = isTrusted ? [...own, ...project] : own;
  const files = await Promise.all(paths.map(async (path) => ({ path, text: bounded(await readFile(path, 'utf8')) })));
  return { files, untrusted: isTrusted ? [] : project };
}

/** The first that exists. */
function existing(candidates: readonly string[]): string[] {
  return candidates.filter((path) => existsSync(path)).slice(0, 1);
}

function foldersDownTo(cwd: string): string[] {
  const root = trustRoot(cwd);
  const chain = [cwd];
  for (let at = cwd; at !== root && at !== dirname(at); at = dirname(at)) chain.unshift(dirname(at));
  return chain;
}

function bounded(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= MAX_INSTRUCTION_CHARS
    ? wellFormed
    : `${wellFormed.slice(0, MAX_INSTRUCTION_CHARS)}\n[… cut here …]`;
}
