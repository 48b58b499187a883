import type { Footprint } from './footprint.ts';
import type { JsonSchema } from './json-schema.ts';
import type { AgentAccess } from './agent-access.ts';
import type { FileAccess, GitAccess, JobTable, SearchAccess, ShellAccess } from './ports.ts';
import type { ToolResult } from './tool-result.ts';
import type { WebAccess } from './web-access.ts';

export const TOOL_CATEGORIES = ['file', 'shell', 'search', 'git', 'plan', 'web', 'agent', 'mcp'] as const;
/** What a tool is about; tools are switched on and off by it too. */
export type ToolCategory = (typeof TOOL_CATEGORIES)[number];

/** What a pure function of a tool may know of its surroundings. */
export interface CallFacts {
  readonly cwd: string;
}

/** Other spellings that models use for a tool, as data. */
export interface ToolAliases {
  /** The name in the snake_case presentation. */
  readonly snakeCase: string;
  /** Accepted key → our key. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Our key → the key shown in the snake_case presentation. */
  readonly snakeCaseKeys?: Readonly<Record<string, string>>;
  /** Values filled in where the snake_case presentation has another default. */
  readonly snakeCaseDefaults?: Readonly<Record<string, unknown>>;
  /** Keys that hold a path: relative ones resolve against the project root in the snake_case presentation. */
  readonly pathKeys?: readonly string[];
}

/** What a tool may use. Everything that touches a machine comes through here, so that memory, a container or an editor can stand in. */
export interface ToolContext {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly toolUseId: string;
  /** True where the model takes images in results. */
  readonly seesImages: boolean;
  readonly files: FileAccess;
  readonly shell: ShellAccess;
  readonly search: SearchAccess;
  readonly git: GitAccess;
  readonly jobs: JobTable;
  /** Absent where no agent makes the call, and in a sub-agent. */
  readonly agents?: AgentAccess;
  /** Absent where the web is not to be read. */
  readonly web?: WebAccess;
  /** Keeps long output and returns the path of the file. */
  spill(full: AsyncIterable<Uint8Array>): Promise<string>;
  progress(text: string): void;
}

/** A tool. Made by `defineTool`, which fails closed; the object is frozen. */
export interface Tool<I = unknown, M = unknown> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly category: ToolCategory;
  readonly aliases?: ToolAliases;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** No request tells of it, unless the registry offers it; it can be called. */
  readonly isDeferred: boolean;
  /** True: may run beside others, and its footprint only reads. False: runs alone. */
  isConcurrencySafe(input: I): boolean;
  /** Checks shape and types and fills in nothing. Returns what the model should change, or the input as the tool takes it. */
  checkInput(input: unknown): Promise<{ readonly input: I } | { readonly problem: string }>;
  /** Beyond the schema, without side effects: what the model should change, or null. */
  validateInput(input: I, facts: CallFacts): string | null;
  /** Pure. The policy resolves it to real paths. */
  footprint(input: I, facts: CallFacts): Footprint;
  /** Path, command or URL: what rules match and people see. One line. */
  subject(input: I): string;
  execute(context: ToolContext, input: I): Promise<ToolResult<M>>;
  /** The call that a call of this tool is in truth; it is prepared, judged and run in its place. Absent on all but one. */
  standsFor?(input: I): { readonly name: string; readonly input: unknown };
}

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly category: ToolCategory;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}
