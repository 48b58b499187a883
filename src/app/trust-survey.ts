import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE_CONFIG } from '../permissions/trust/config-fingerprint.ts';
import { createTrustStore, foldersDownTo, trustRoot, type TrustState, type TrustStore } from '../permissions/trust/trust.ts';
import { readInstructions } from './instructions.ts';
import { PROMPT_FOLDERS } from './own-prompts.ts';
import type { UserFolders } from './user-folders.ts';

/** What a person is to know before trusting a folder. */
export interface TrustSurvey {
  readonly state: TrustState;
  /** What the trust is for: the repository. */
  readonly root: string;
  /** The files and folders that would be loaded, by path. */
  readonly loads: readonly string[];
}

/** Looks at what a folder, by real path, would have loaded, and runs nothing of it. Errors: AgentError. */
export async function surveyTrust(workspace: string, folders: UserFolders): Promise<TrustSurvey> {
  const state = await openTrustStore(folders).check(workspace);
  const { untrusted } = await readInstructions(workspace, folders, state !== 'unknown');
  return { state, root: trustRoot(workspace), loads: [...untrusted, ...configHeldBack(workspace, state)] };
}

/** The list of folders that this user trusts. */
export function openTrustStore({ config }: UserFolders): TrustStore {
  return createTrustStore(join(config, 'trusted-folders.json'));
}

/** A line for each piece of configuration that is not loaded. */
export function trustNotices(workspace: string, state: TrustState): readonly string[] {
  const why = state === 'changed' ? 'the configuration here changed since the folder was trusted' : 'this folder is not trusted';
  return configHeldBack(workspace, state).map((path) => `Not loaded, because ${why}: ${path} (--trust loads it)`);
}

function configHeldBack(workspace: string, state: TrustState): readonly string[] {
  if (state === 'trusted') return [];
  return foldersDownTo(workspace, trustRoot(workspace))
    .flatMap((folder) => [...EXECUTABLE_CONFIG, ...PROMPT_FOLDERS].map((name) => join(folder, name)))
    .filter((path) => existsSync(path));
}
