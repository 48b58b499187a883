import { isWithin } from '../../core/footprint.ts';
import type { Confinement, SandboxMode } from '../../core/permission.ts';
import { PLAIN_STARTER, type Starter } from '../process/output-pipe.ts';

/** A program as it is to be started. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program on its way into a sandbox. */
export interface EnteredProgram extends ProgramStart {
  readonly starter: Starter;
  readonly isConfined: boolean;
  /** What it was granted and cannot get, a sentence each. */
  readonly refused: readonly string[];
  /** Whether a path could be opened to it for writing, were it granted. */
  mayWrite(path: string): boolean;
  /** Whether a path of the machine is not to be seen in there. */
  isHidden(path: string): boolean;
  /** To be asked when it has ended: what it made in the workspace that runs later on its own, a sentence each. */
  planted(): Promise<readonly string[]>;
}

/** What confines commands on this machine, or nothing. */
export interface Sandbox {
  readonly kind: 'bwrap' | 'seatbelt' | 'none';
  /** Where there is none: why, with what would help. Null otherwise. */
  readonly why: string | null;
  /** What the person is to know of how it stands here, a sentence each. */
  readonly notes: readonly string[];
  /** The strictest of the person's mode and the grant holds. Without a sandbox the program comes back as it is. */
  enter(program: ProgramStart, confinement: Confinement, cwd: string): Promise<EnteredProgram>;
  /** Takes away what was made for the session. */
  close(): void;
}

/** Where a sandbox stands: real paths. */
export interface SandboxPlace {
  readonly workspace: string;
  readonly addDirs: readonly string[];
  readonly home: string;
  /** Our own folders; commands never see them. */
  readonly state: string;
  readonly config: string;
  readonly mode: SandboxMode;
  readonly environment: NodeJS.ProcessEnv;
}

/** What commands may write. The machine as a whole is never among it. */
export function rootsOf({ workspace, addDirs }: Pick<SandboxPlace, 'workspace' | 'addDirs'>): string[] {
  return [workspace, ...addDirs].filter((root) => root !== '/');
}

/** What the person is to know where commands may write the whole home. */
export function homeNotes({ home, ...place }: SandboxPlace): string[] {
  if (!rootsOf(place).some((root) => isWithin(home, root))) return [];
  return [
    'The workspace is your home: commands may change what is in it, also what your shell and desktop start, save for known secrets and settings. Start in the folder of a project instead.',
  ];
}

/** No sandbox: commands run with the rights of the person. */
export function noSandbox(why: string): Sandbox {
  return { kind: 'none', why, notes: [], enter: async (program) => unconfined(program), close: () => undefined };
}

/** The program as it is. */
export function unconfined(program: ProgramStart): EnteredProgram {
  return {
    ...program,
    starter: PLAIN_STARTER,
    isConfined: false,
    refused: [],
    mayWrite: () => false,
    isHidden: () => false,
    planted: async () => [],
  };
}

/**
 * What a command may do where both the person's mode and its grant have a say; null is no sandbox. `anything` is granted only by a
 * person who said so of this one command, so it holds unless the mode is read-only.
 */
export function strictest(mode: SandboxMode, confinement: Confinement): Confinement | null {
  if (mode === 'danger-full-access') return null;
  if (mode === 'read-only') return { ...confinement, writes: 'nothing', writable: [] };
  return confinement.writes === 'anything' ? null : confinement;
}
