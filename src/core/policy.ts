import type { ResolvedFootprint } from './footprint.ts';
import type { Judgement, PermissionMode, PermissionRule } from './permission.ts';
import type { Tool } from './tool.ts';

/** What the sandbox kept a command from. Paths are absolute. */
export interface SandboxDenial {
  readonly network?: boolean;
  readonly writable?: readonly string[];
}

/** The one gate. Every execution, from every door, is judged by it. */
export interface PermissionPolicy {
  readonly mode: PermissionMode;
  /** The footprint of a call with real paths, for the order of calls. */
  resolve(tool: Tool, input: unknown): Promise<ResolvedFootprint>;
  /** `resolved` is what `resolve` gave, where nothing can have changed since. `toolUseId` tells which call of a session it is. */
  judge(tool: Tool, input: unknown, resolved?: ResolvedFootprint, toolUseId?: string): Promise<Judgement>;
  /** Holds from now on; where it is kept follows from its scope. Resolves to why it could not be kept, for a person, or null. */
  remember(rule: PermissionRule): Promise<string | null>;
  /** The same command asks from now on, and a yes lets it have what it was kept from. */
  noteDenied?(command: string, denial: SandboxDenial): void;
}
