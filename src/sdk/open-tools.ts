import { createRegistry } from '../app/create-registry.ts';
import type { ToolRunnerOptions } from '../calls/run-tools.ts';
import type { Backend } from '../core/backend.ts';
import { AgentError } from '../core/errors.ts';
import type { EffectJournal, Hook } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { createAllTools, isBuiltin, setupTools } from '../tools/builtin.ts';
import { contextsOn } from './call-context.ts';
import { createGate, type Permissions } from './gate.ts';
import { createLocalBackend } from './local-backend.ts';

/** On what tools work: a folder of this machine, or a backend. */
export type Place =
  | { readonly cwd: string; readonly backend?: undefined }
  | { readonly backend: Backend; readonly cwd?: undefined };

/** Which tools, on what, and what they may do. */
export type ToolsOptions = Place & {
  /** Default: the built-in tools that only read. What the backend cannot do is switched off in it. */
  readonly registry?: ToolRegistry;
  readonly permissions?: Permissions;
  /** Your own code around each call. It can make a judgement stricter, never looser. */
  readonly hooks?: readonly Hook[];
  /** Is told before an effect and after it. */
  readonly journal?: EffectJournal;
};

/** Tools behind the gate, on a backend. */
export interface OpenedTools {
  readonly backend: Backend;
  readonly registry: ToolRegistry;
  readonly runnerOptions: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;
}

const NO_JOURNAL: EffectJournal = { started: async () => undefined, finished: async () => undefined };

/** Puts registry, gate and backend together. Errors: AgentError `folder_missing`, `misuse`. */
export function openTools(options: ToolsOptions, { seesImages }: { readonly seesImages: boolean }): OpenedTools {
  const backend = options.backend ?? createLocalBackend({ cwd: placeOf(options.cwd) });
  const registry = options.registry ?? setupTools(createRegistry());
  switchOffMissing(registry, backend);
  return {
    backend,
    registry,
    runnerOptions: {
      // A rule may name a tool that is switched off.
      policy: createGate(backend, options.permissions ?? {}, [...registry.list(), ...createAllTools()]),
      cwd: backend.cwd,
      hooks: options.hooks ?? [],
      journal: options.journal ?? NO_JOURNAL,
      contextFor: contextsOn(backend, seesImages),
      trustsFootprint: isBuiltin,
    },
  };
}

/** A program without types can leave it out. */
function placeOf(cwd: string | undefined): string {
  if (typeof cwd === 'string') return cwd;
  const message = 'There is no place to work in.';
  throw new AgentError({ code: 'misuse', message, remedy: 'Give a folder as cwd, or a backend.' });
}

/** A call of what cannot be done here learns why. */
function switchOffMissing(registry: ToolRegistry, { shell, git, web }: Backend): void {
  if (shell === undefined) registry.disable('shell', 'the lack of a shell: this backend runs no commands');
  if (git === undefined) registry.disable('git', 'the lack of a program: there is no git here');
  if (web === undefined) registry.disable('web', 'the lack of the web: this backend reads none');
}
