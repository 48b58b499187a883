import type { ToolRegistry } from '../core/registry.ts';
import { TodoList } from '../core/todo-list.ts';
import type { Tool } from '../core/tool.ts';
import { createApplyPatchTool } from './apply-patch.ts';
import { createBashTool } from './bash.ts';
import { createBashKillTool } from './bash-kill.ts';
import { createBashOutputTool } from './bash-output.ts';
import { createCreateTodosTool } from './create-todos.ts';
import { createEditFileTool } from './edit-file.ts';
import { createGitDiffTool } from './git-diff.ts';
import { createGitStatusTool } from './git-status.ts';
import { createGlobTool } from './glob.ts';
import { createGrepTool } from './grep.ts';
import { createReadFileTool } from './read-file.ts';
import { createUpdateTodoTool } from './update-todo.ts';
import { createWebFetchTool } from './web-fetch.ts';
import { createWriteFileTool } from './write-file.ts';

/** Which of the built-in tools are on. */
export interface SetupOptions {
  /** WriteFile and EditFile. Default false. */
  readonly allowWrite?: boolean;
  /** Bash. Default false. */
  readonly allowBash?: boolean;
  /** The deadline of a command where the model names none. Default 30,000. */
  readonly bashTimeoutMs?: number;
  /** ApplyPatch, for models that are trained on its format. Needs allowWrite. Default false. */
  readonly allowApplyPatch?: boolean;
  /** WebFetch, where calls have access to the web. Default false. */
  readonly allowWeb?: boolean;
  /** False where this machine has no git. Default true. */
  readonly hasGit?: boolean;
  /** The plan of the session. Default: an empty one. */
  readonly todos?: TodoList;
}

/** Registers every tool and switches off those that are not allowed, so that a call of one learns why. Reading and searching are always on. */
export function setupTools(registry: ToolRegistry, options: SetupOptions = {}): ToolRegistry {
  for (const tool of createAllTools(options.todos, options)) registry.register(tool);
  if (options.allowWrite !== true) registry.disable('file', 'allowWrite').enable('ReadFile');
  if (options.allowApplyPatch !== true) registry.disable('ApplyPatch', 'allowApplyPatch');
  if (options.allowBash !== true) registry.disable('shell', 'allowBash');
  if (options.allowWeb !== true) registry.disable('web', 'allowWeb');
  if (options.hasGit === false) registry.disable('git', 'the lack of a program: git is not installed');
  return registry;
}

/** A new instance of each built-in tool, in the order in which models see them. The plan tools hold the list. */
export function createAllTools(
  todos: TodoList = new TodoList(),
  { bashTimeoutMs }: Pick<SetupOptions, 'bashTimeoutMs'> = {},
): readonly Tool[] {
  const tools = [
    createReadFileTool(),
    createWriteFileTool(),
    createEditFileTool(),
    createApplyPatchTool(),
    createBashTool(bashTimeoutMs === undefined ? {} : { timeoutMs: bashTimeoutMs }),
    createBashOutputTool(),
    createBashKillTool(),
    createGlobTool(),
    createGrepTool(),
    createGitStatusTool(),
    createGitDiffTool(),
    createCreateTodosTool(todos),
    createUpdateTodoTool(todos),
    createWebFetchTool(),
    // Each checks its own input before anything typed sees it.
  ] as readonly Tool[];
  for (const tool of tools) ours.add(tool);
  return tools;
}

const ours = new WeakSet<Tool>();

/** True for a tool that `createAllTools` made: what it lists is all that it touches, so it may run beside others. */
export function isBuiltin(tool: Tool): boolean {
  return ours.has(tool);
}
