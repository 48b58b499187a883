import type { Backend } from '../core/backend.ts';
import type { FileAccess } from '../core/ports.ts';
import { FileOutputs } from './file-outputs.ts';
import { createFileSearch } from './file-search.ts';
import { createShellJobs } from './shell-jobs.ts';

/** The ports of a backend that there are; the others are built on these. */
export interface BackendParts extends Partial<Omit<Backend, 'files'>> {
  readonly files: FileAccess;
}

const DEFAULT_ROOT = '/project';
const OUTPUT_FOLDER = '/outputs';

/**
 * A backend of one's own. `files` is all that it needs: searches and long output are built on them, background commands on `shell`.
 * What is left out is not offered to a model.
 */
export function createBackend(parts: BackendParts): Backend {
  const { files, cwd = DEFAULT_ROOT, shell, jobs = shell === undefined ? undefined : createShellJobs(shell) } = parts;
  return {
    search: createFileSearch(files),
    outputs: new FileOutputs(files, OUTPUT_FOLDER),
    ...parts,
    cwd,
    ...(jobs === undefined ? {} : { jobs }),
    close: async () => {
      await jobs?.endAll();
      await parts.close?.();
    },
  };
}
