import type { Command } from 'commander';
import type { SandboxMode } from '../../core/permission.ts';
import type { ExportFlags } from '../export.ts';
import type { McpServeFlags } from '../mcp.ts';
import type { ExplainFlags, GateFlags } from '../permissions.ts';
import type { ReplayFlags } from '../replay.ts';
import type { RewindFlags } from '../rewind.ts';
import type { PruneFlags } from '../session-shelf.ts';
import type { EvalFlags } from '../tool-eval.ts';
import type { LintFlags } from '../tool-lint.ts';
import type { DiffFlags, RedoFlags, UndoFlags } from '../undo.ts';
import type { ChatFlags } from './flags.ts';

/** What the verbs do. Each resolves to an exit code. */
export interface Verbs {
  chat(prompt: string | null, flags: ChatFlags): Promise<number>;
  print(prompt: string | null, flags: ChatFlags): Promise<number>;
  listTools(flags: { json?: boolean }): Promise<number>;
  showTool(name: string, flags: { json?: boolean }): Promise<number>;
  runTool(name: string, flags: { input?: string; cwd?: string; sandbox?: SandboxMode; json?: boolean }): Promise<number>;
  lintTools(modules: readonly string[], flags: LintFlags): Promise<number>;
  evaluateTools(flags: EvalFlags): Promise<number>;
  listModels(flags: { json?: boolean }): Promise<number>;
  showSandbox(flags: { verify?: boolean }): Promise<number>;
  listSessions(flags: { json?: boolean }): Promise<number>;
  explainPermission(command: string | undefined, flags: ExplainFlags): Promise<number>;
  listPermissions(flags: GateFlags): Promise<number>;
  testPermissions(flags: GateFlags): Promise<number>;
  replaySession(id: string, flags: GateFlags): Promise<number>;
  showSession(id: string | undefined, flags: { ledger?: boolean; json?: boolean }): Promise<number>;
  exportSession(id: string | undefined, flags: ExportFlags): Promise<number>;
  replayRecorded(id: string | undefined, flags: ReplayFlags): Promise<number>;
  makeSessionTest(id: string | undefined, flags: { out: string }): Promise<number>;
  undo(flags: UndoFlags): Promise<number>;
  redo(flags: RedoFlags): Promise<number>;
  diff(flags: DiffFlags): Promise<number>;
  serveMcp(flags: McpServeFlags): Promise<number>;
  approveMcp(server: string | undefined, digest: string | undefined, flags: { cwd?: string }): Promise<number>;
  rewind(flags: RewindFlags): Promise<number>;
  nameSession(id: string, name: string): Promise<number>;
  findInSessions(text: string, flags: { json?: boolean }): Promise<number>;
  dropSession(id: string): Promise<number>;
  dropOldSessions(flags: PruneFlags): Promise<number>;
}

/** Ends the command with what a verb resolves to. */
export type Finish = (work: Promise<number>) => Promise<void>;

/** A word after `wield`: what it is for, and how its own words and flags are read. */
export interface VerbGroup {
  readonly name: string;
  readonly summary: string;
  fill(command: Command, verbs: Verbs, finish: Finish): void;
}
