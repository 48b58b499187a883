import { isWithin } from '../core/footprint.ts';
import type { DecisionPart, PermissionMode, PermissionRule } from '../core/permission.ts';
import type { FileAccess } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import type { DenialNotes } from './denial-notes.ts';
import type { RepositoryLooks } from './git/repository-looks.ts';
import type { ReadyRule } from './rules/rule-pattern.ts';

/** What is looked at of files that are not of this machine. */
export type ElsewhereFiles = Pick<FileAccess, 'realPath' | 'list' | 'stat'>;

export interface PolicyOptions {
  readonly mode: PermissionMode;
  readonly cwd: string;
  readonly home: string;
  /** Real paths that count as inside for reads and writes; the first is the workspace. */
  readonly roots: readonly string[];
  /** Real paths that may be read besides, such as the session's own output files. */
  readonly readableRoots: readonly string[];
  readonly rules: readonly PermissionRule[];
  /** Real paths of this program's own settings and state. */
  readonly ownFolders?: readonly string[];
  /** The environment of commands: its PATH tells which program a name means. Without one no git command passes unasked. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether commands can be confined here. Not said is no; a promise is waited for only where the answer matters. */
  readonly sandbox?: { readonly isAvailable: boolean | Promise<boolean> };
  /** A person has accepted that what rules allow runs without a sandbox. */
  readonly acceptUnsandboxed?: boolean;
  /** The files, where these and the commands are not of this machine. Then nothing of its disk is looked at, and what cannot be told asks. */
  readonly elsewhere?: ElsewhereFiles;
  /** Keeps a rule whose scope is longer than this session. */
  readonly store?: (rule: PermissionRule) => Promise<string | null>;
}

/** What judging works with: the options, the rules that hold by now, and what the sandbox kept commands from. */
export interface Gate {
  readonly options: PolicyOptions;
  readonly rules: readonly ReadyRule[];
  readonly repositories: RepositoryLooks;
  readonly denials: DenialNotes;
}

/** A part as it would be decided without rules, and the rules that speak of it. An allow rule is among them only where it covers all of the part. */
export interface Considered {
  readonly part: DecisionPart;
  readonly rules: readonly PermissionRule[];
}

/** True for a real path in the workspace or in a folder that counts as such. */
export function isInside({ options }: Gate, path: string): boolean {
  return options.roots.some((root) => isWithin(path, root));
}

/** True for a real path of the session's own output. */
export function isOwnOutput({ options }: Gate, path: string): boolean {
  return options.readableRoots.some((root) => isWithin(path, root));
}

/** Without a sandbox the answer of a rule weighs more: nothing confines what it lets run. */
export async function hasSandbox({ options }: Gate): Promise<boolean> {
  return (await options.sandbox?.isAvailable) ?? false;
}

/** True for a tool whose subject is run by a shell. */
export function isCommand({ category, isDestructive }: Tool): boolean {
  return category === 'shell' && isDestructive;
}
