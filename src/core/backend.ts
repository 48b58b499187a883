import type { SandboxDenial } from './policy.ts';
import type { ConfinedJobs, ConfinedShell, FileAccess, GitAccess, SearchAccess } from './ports.ts';
import type { WebAccess } from './web-access.ts';

/** Where output goes that is too long for an answer. */
export interface OutputStore {
  /** Absolute; what lies below it may be read without a question. */
  readonly folder: string;
  /** Keeps all of it and returns the path of the file. */
  keep(full: AsyncIterable<Uint8Array>): Promise<string>;
}

/** What the gate looks at where the tools work on this machine. */
export interface Machine {
  /** The person's home folder, a real path. */
  readonly home: string;
  /** Real paths of this program's own settings and state, which no call may touch unasked. */
  readonly ownFolders: readonly string[];
  /** The environment of commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether commands can be confined here. */
  readonly isConfined: () => Promise<boolean>;
  /** Has the gate told what a sandbox kept a command from. */
  onDenied(listener: (command: string, denial: SandboxDenial) => void): void;
}

/** What tools work on: this machine, memory, or whatever else stands behind these ports. */
export interface Backend {
  /** The project root, a real path: where commands run, and what counts as inside. */
  readonly cwd: string;
  readonly files: FileAccess;
  readonly search: SearchAccess;
  readonly outputs: OutputStore;
  /** Not given: there is nothing to run commands with, and Bash is switched off. */
  readonly shell?: ConfinedShell;
  /** Background commands. */
  readonly jobs?: ConfinedJobs;
  /** Not given: GitStatus and GitDiff are switched off. */
  readonly git?: GitAccess;
  /** Not given: WebFetch is switched off. */
  readonly web?: WebAccess;
  /** Not given: files and commands are elsewhere, and the gate looks at nothing of this machine. */
  readonly machine?: Machine;
  /** Ends what runs and lets go of what is held. */
  close(): Promise<void>;
}
