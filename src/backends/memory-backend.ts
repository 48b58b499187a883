import { resolve } from 'node:path';
import type { Backend } from '../core/backend.ts';
import { createBackend } from './create-backend.ts';
import { FileOutputs } from './file-outputs.ts';
import { MemoryFiles, type MemoryFilesOptions } from './memory-files.ts';
import { createMemoryShell, type RunCommand } from './memory-shell.ts';

/** What a project in memory begins with. */
export interface MemoryBackendOptions extends Pick<MemoryFilesOptions, 'tracksSeen'> {
  /** The project root. Default `/project`. */
  readonly cwd?: string;
  /** What is there at first: contents by path, absolute or relative to the root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs commands in place of a shell. Not given: Bash is not offered. */
  readonly runCommand?: RunCommand;
}

/** A project that is nowhere but in memory. */
export interface MemoryBackend extends Backend {
  readonly files: MemoryFiles;
}

const DEFAULT_ROOT = '/project';
const OUTPUT_FOLDER = '/outputs';

/** A backend with no disk and no process behind it: for tests, for previews, for a web page. */
export function createMemoryBackend(options: MemoryBackendOptions = {}): MemoryBackend {
  const { cwd = DEFAULT_ROOT, files: contents = {}, runCommand, tracksSeen = true } = options;
  const absolute = Object.entries(contents).map(([path, content]) => [resolve(cwd, path), content]);
  const files = new MemoryFiles({ files: Object.fromEntries(absolute), folders: [cwd], tracksSeen });
  const outputs = new FileOutputs(files, OUTPUT_FOLDER);
  const shell = runCommand === undefined ? {} : { shell: createMemoryShell(runCommand, { files, outputs }) };
  return { ...createBackend({ cwd, files, outputs, ...shell }), files };
}
