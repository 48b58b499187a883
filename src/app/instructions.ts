import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersDownTo, trustRoot } from '../permissions/trust/trust.ts';
import { readConfigFile } from './read-config-file.ts';
import type { UserFolders } from './user-folders.ts';

export interface Instructions {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Instruction files that were left alone because the folder is not trusted. */
  readonly untrusted: readonly string[];
  /** A line for each file that could not be read, or may not be. */
  readonly unusable: readonly string[];
}

const MAX_INSTRUCTION_CHARS = 40_000;

/** The user's own AGENTS.md, then those from the repository's root down to the working folder; CLAUDE.md where a folder has no AGENTS.md. */
export async function readInstructions(cwd: string, folders: UserFolders, isTrusted: boolean): Promise<Instructions> {
  const root = trustRoot(cwd);
  const own = existing([join(folders.config, 'AGENTS.md')]);
  const project = foldersDownTo(cwd, root).flatMap((folder) => existing([join(folder, 'AGENTS.md'), join(folder, 'CLAUDE.md')]));
  const found = await Promise.all([
    ...own.map((path) => instructionsIn(path, null)),
    ...(isTrusted ? project.map((path) => instructionsIn(path, root)) : []),
  ]);
  return {
    files: found.filter((file) => typeof file !== 'string'),
    untrusted: isTrusted ? [] : project,
    unusable: found.filter((file) => typeof file === 'string'),
  };
}

/** A file that cannot be used is a line to say, and no reason to stop. */
async function instructionsIn(path: string, within: string | null): Promise<Instructions['files'][number] | string> {
  const file = await readConfigFile(path, within);
  if (file === null) return `Not loaded: ${path} (it is gone)`;
  return 'text' in file ? { path, text: bounded(file.text) } : `Not loaded: ${path} (${file.fault})`;
}

/** The first that exists. */
function existing(candidates: readonly string[]): string[] {
  return candidates.filter((path) => existsSync(path)).slice(0, 1);
}

function bounded(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= MAX_INSTRUCTION_CHARS
    ? wellFormed
    : `${wellFormed.slice(0, MAX_INSTRUCTION_CHARS)}\n[… cut here …]`;
}
