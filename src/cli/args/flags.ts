import type { PermissionMode, SandboxMode } from '../../core/permission.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** The flags of `wield` and `wield -p`. */
export interface ChatFlags {
  readonly print?: string | true;
  readonly model?: string;
  readonly outputFormat: OutputFormat;
  readonly includePartialMessages?: boolean;
  readonly continue?: boolean;
  /** True where none was named. */
  readonly resume?: string | true;
  readonly sessionId?: string;
  readonly forkSession?: boolean;
  readonly maxTurns?: number;
  readonly permissionMode?: PermissionMode;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly addDir?: readonly string[];
  readonly appendSystemPrompt?: string;
  readonly trust?: boolean;
  readonly cwd?: string;
  readonly sandbox?: SandboxMode;
  readonly requireSandbox?: boolean;
  readonly acceptUnsandboxed?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly replaySpeed?: number;
  /** Paths. */
  readonly image?: readonly string[];
  readonly screenReader?: boolean;
  /** False with --no-tui. */
  readonly tui?: boolean;
}
