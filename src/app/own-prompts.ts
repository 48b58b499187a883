import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersDownTo, trustRoot } from '../permissions/trust/trust.ts';
import type { OwnPrompts, Place, PromptFile } from './prompt-file.ts';
import type { UserFolders } from './user-folders.ts';

/** What in a project steers the model when it is called: told of and loaded as its instructions are. */
export const PROMPT_FOLDERS = ['.agents/commands', '.claude/commands', '.agents/skills', '.claude/skills'] as const;

const NONE: OwnPrompts = { prompts: [], skills: [], unusable: [] };
const MAX_FILES = 200;
const MAX_DEPTH = 3;

/** Looks in the user's folders, and in a trusted project's from the repository's root down; what is nearer wins for a name. Reads nothing where there is none. */
export async function readOwnPrompts(cwd: string, folders: UserFolders, isTrusted: boolean): Promise<OwnPrompts> {
  const root = trustRoot(cwd);
  const project = isTrusted ? foldersDownTo(cwd, root) : [];
  const places = (kind: 'commands' | 'skills'): readonly Place[] =>
    [
      { folder: join(folders.home, '.agents', kind), within: null },
      { folder: join(folders.config, kind), within: null },
      // Of one folder, .agents wins.
      ...project.flatMap((at) => ['.claude', '.agents'].map((of) => ({ folder: join(at, of, kind), within: root }))),
    ].filter(({ folder }) => existsSync(folder));
  const [commands, skills] = [places('commands'), places('skills')];
  if (commands.length + skills.length === 0) return NONE;
  // Loaded only where there is one: the first request does not wait for it.
  const readers = await import('./read-prompts.ts');
  const [commandFiles, skillFiles] = [await filesOf(commands, isMarkdown), await filesOf(skills, isSkill)];
  const read = await readers.readPrompts(nearest(commandFiles), nearest(skillFiles));
  return { ...read, unusable: [...read.unusable, ...tooMany(commandFiles, 'commands'), ...tooMany(skillFiles, 'skills')] };
}

async function filesOf(places: readonly Place[], isWanted: (relative: string) => boolean): Promise<readonly PromptFile[]> {
  const found: PromptFile[] = [];
  for (const place of places)
    for (const relative of await below(place.folder, '', MAX_DEPTH))
      if (isWanted(relative)) found.push({ ...place, relative, path: join(place.folder, relative) });
  return found;
}

/** The last ones stand nearest. */
function nearest(files: readonly PromptFile[]): readonly PromptFile[] {
  return files.slice(-MAX_FILES);
}

function tooMany(files: readonly PromptFile[], kind: string): readonly string[] {
  const left = files.length - MAX_FILES;
  return left <= 0
    ? []
    : [
        `Not loaded: ${left} of ${files.length} ${kind}, since ${MAX_FILES} are the most; those nearest to this folder are there.`,
      ];
}

function isMarkdown(relative: string): boolean {
  return /\.md$/i.test(relative);
}

function isSkill(relative: string): boolean {
  return /^[^/]+\/SKILL\.md$/.test(relative);
}

/** Paths below a folder, sorted. Links are listed and not followed. */
async function below(folder: string, prefix: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const relative = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory() && depth > 1) found.push(...(await below(folder, relative, depth - 1)));
    else if (!entry.isDirectory()) found.push(relative);
  }
  return found;
}
