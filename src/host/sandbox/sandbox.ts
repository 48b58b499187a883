import type { Confinement, SandboxMode } from '../../core/permission.ts';

/** A program as it is to be started. `inherited` are open file descriptors that it is handed besides the first three, by number. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What confines commands on this machine, or nothing. */
export interface Sandbox {
  readonly kind: 'bwrap' | 'seatbelt' | 'none';
  /** Where there is none: why, with what would help. Null otherwise. */
  readonly why: string | null;
  /** The strictest of the person's mode and the grant holds. Without a sandbox the program comes back as it is. */
  enter(program: ProgramStart, confinement: Confinement, cwd: string): Promise<ProgramStart>;
}

/** Where a sandbox stands: real paths. */
export interface SandboxPlace {
  readonly workspace: string;
  readonly addDirs: readonly string[];
  readonly home: string;
  /** Our own folder for state; commands never see it. */
  readonly state: string;
  readonly mode: SandboxMode;
  readonly environment: NodeJS.ProcessEnv;
}

/** No sandbox: commands run with the rights of the person. */
export function noSandbox(why: string): Sandbox {
  return { kind: 'none', why, enter: async (program) => program };
}
