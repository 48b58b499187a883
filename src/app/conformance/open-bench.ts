import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolRunner } from '../../calls/run-tools.ts';
import type { Bench } from '../../conformance/bench.ts';
import { fixtureFiles } from '../../conformance/fixture.ts';
import type { PermissionRule } from '../../core/permission.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import { TodoList } from '../../core/todo-list.ts';
import type { Tool } from '../../core/tool.ts';
import { makeScratchFolder, removeScratchFolder } from '../../host/files/scratch-folder.ts';
import { createTaskTool } from '../../tools/task.ts';
import { composeTools } from '../compose-tools.ts';
import { createRegistry } from '../create-registry.ts';
import { lazyWeb } from '../lazy-web.ts';
import { allowOwnAct } from '../own-act.ts';
import { userFolders } from '../user-folders.ts';
import { readTree } from './tree-state.ts';

export interface BenchRequest {
  readonly environment: NodeJS.ProcessEnv;
  /** What the person allows and denies; only what comes from a server needs to be allowed. */
  readonly rules: readonly PermissionRule[];
}

/** A bench, and the tools on it. */
export interface OpenedBench extends Bench {
  readonly registry: ToolRegistry;
  /** A home that is nobody's. */
  readonly home: string;
}

/** Makes a folder with files of all kinds, and the built-in tools behind the gate in it. Nothing of it reaches the person's own folders. */
export function openBench({ environment, rules }: BenchRequest): OpenedBench {
  const base = makeScratchFolder('wield-bench-');
  const [cwd, home] = [join(base, 'project'), join(base, 'home')];
  mkdirSync(home);
  writeFixture(cwd);
  const own = { ...withoutOwnFolders(environment), HOME: home };
  const workbench = composeTools({
    cwd,
    addDirs: [],
    mode: 'default',
    rules,
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: false,
    seesImages: true,
    folders: userFolders(own),
    environment: own,
    sessionId: 'bench',
    todos: new TodoList(),
    web: lazyWeb(),
  });
  const { registry } = workbench;
  registry.enable('ApplyPatch').register(createTaskTool());
  return {
    home,
    cwd,
    registry,
    runner: (tool, steps) =>
      new ToolRunner({
        ...workbench.runnerOptions({ started: async () => undefined, finished: async () => undefined }),
        registry: registry.get(tool.name) === tool ? registry : createRegistry().register(tool),
        steps,
        // What comes from elsewhere runs only where a rule lets it.
        ask: isForeign(tool) ? null : allowOwnAct,
      }),
    look: async () => readTree(cwd),
    close: async () => {
      await workbench.jobs.endAll();
      removeScratchFolder(base);
    },
  };
}

function isForeign({ category }: Tool): boolean {
  return category === 'mcp';
}

function writeFixture(cwd: string): void {
  for (const [name, content] of fixtureFiles()) {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function withoutOwnFolders({ XDG_CONFIG_HOME: _config, XDG_STATE_HOME: _state, ...rest }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return rest;
}
