import type { ToolRunnerOptions } from '../calls/run-tools.ts';
import type { Backend } from '../core/backend.ts';
import type { ConfinedJobs, ConfinedShell, GitAccess } from '../core/ports.ts';
import { grantedFiles, grantedGit, grantedJobs, grantedSearch, grantedShell } from '../permissions/grants.ts';

/** What each call of a tool gets of a backend: as much as was granted. */
export function contextsOn(backend: Backend, seesImages: boolean): ToolRunnerOptions['contextFor'] {
  const { cwd, files, search, outputs, shell = NO_SHELL, jobs = NO_JOBS, git = NO_GIT, web, machine } = backend;
  const place = { files, home: machine?.home ?? '/home/nobody' };
  return (call, { footprint, confinement }, signal, emit) => ({
    cwd,
    signal,
    toolUseId: call.id,
    seesImages,
    files: grantedFiles(files, footprint),
    search: grantedSearch(search, footprint, place),
    shell: grantedShell(shell, confinement),
    jobs: grantedJobs(jobs, confinement),
    git: grantedGit(git, footprint, place),
    ...(web === undefined ? {} : { web }),
    spill: (full) => outputs.keep(full),
    progress: (text) => emit({ type: 'tool_progress', toolUseId: call.id, text }),
  });
}

const NO_COMMANDS = 'this backend runs no commands';
const NO_SHELL: ConfinedShell = { run: () => Promise.reject(new Error(NO_COMMANDS)) };
const NO_JOBS: ConfinedJobs = {
  start: () => Promise.reject(new Error(NO_COMMANDS)),
  list: () => [],
  readNew: async () => null,
  kill: async () => null,
  endAll: async () => undefined,
};
const NO_GIT: GitAccess = { open: async () => ({ refusal: 'no_git', detail: '' }) };
