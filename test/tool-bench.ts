import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeTools } from '../src/app/compose-tools.ts';
import { checkedCall } from '../src/calls/prepare-call.ts';
import { textOf } from '../src/core/message.ts';
import { UNCONFINED } from '../src/core/permission.ts';
import type { ToolNames } from '../src/core/presentation.ts';
import type { ToolRegistry } from '../src/core/registry.ts';
import { TodoList } from '../src/core/todo-list.ts';
import type { ToolResult } from '../src/core/tool-result.ts';

const EVERYTHING = { footprint: { extent: 'everything', writes: true }, confinement: UNCONFINED } as const;

/** What a call answered. */
export interface BenchAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly metadata: unknown;
}

export interface BenchOptions {
  /** A folder that is there already, and stays. Default: a new one. */
  readonly root?: string;
  readonly toolNames?: ToolNames;
  readonly tracksSeen?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

/** A temp folder and the tools of this machine in it, without a gate: real files, real processes. */
export interface ToolBench {
  /** A real path. */
  readonly root: string;
  readonly registry: ToolRegistry;
  path(name: string): string;
  /** Writes a file of the folder, with its parents. */
  write(name: string, content: string | Uint8Array): string;
  /** Checks the input and runs the tool, as a call of a model is. */
  call(name: string, input: unknown, signal?: AbortSignal): Promise<BenchAnswer>;
  close(): Promise<void>;
}

export function createToolBench({
  root: given,
  toolNames = 'PascalCase',
  tracksSeen = false,
  environment = process.env,
}: BenchOptions = {}): ToolBench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wield-tools-')));
  const root = given ?? join(folder, 'project');
  mkdirSync(root, { recursive: true });
  const workbench = composeTools({
    cwd: root,
    addDirs: [],
    mode: 'bypassPermissions',
    rules: [],
    toolNames,
    bashTimeoutMs: null,
    tracksSeen,
    folders: { home: '/nowhere', config: join(folder, 'state'), state: join(folder, 'state') },
    environment,
    sessionId: 'test',
    todos: new TodoList(),
    seesImages: false,
  });
  const { registry } = workbench;
  const options = workbench.runnerOptions({ started: async () => undefined, finished: async () => undefined });

  async function run(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
    const tool = registry.get(name);
    if (tool === null) throw new Error(`There is no tool ${name}`);
    const prepared = await checkedCall(registry, tool, input, root);
    if ('refusal' in prepared) return prepared.refusal;
    const call = { type: 'tool_use', id: 'call_1', wireId: null, name, input } as const;
    const context = options.contextFor(call, EVERYTHING, signal, () => undefined);
    return prepared.tool.execute(context, prepared.input);
  }

  return {
    root,
    registry,
    path: (name) => join(root, name),
    write: (name, content) => {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    call: async (name, input, signal = new AbortController().signal) => {
      const { content, isError, metadata } = await run(name, input, signal);
      return { text: textOf(content), isError, metadata };
    },
    close: async () => {
      await workbench.jobs.endAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
