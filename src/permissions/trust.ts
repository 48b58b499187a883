import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import { isJsonObject } from '../core/json-value.ts';

/** Folders whose instructions and settings may be loaded, by real path of the repository. */
export interface TrustStore {
  isTrusted(folder: string): Promise<boolean>;
  trust(folder: string): Promise<void>;
}

/** Trust holds for a repository, or for a folder outside of one; a repository inside a trusted one is on its own. */
export function trustRoot(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return folder;
}

/** A store in one JSON file. Errors: AgentError `config_unreadable` where the file is not what we wrote; nothing is trusted then. */
export function createTrustStore(path: string): TrustStore {
  return {
    isTrusted: async (folder) => Object.hasOwn(await readStore(path), trustRoot(folder)),
    trust: async (folder) => {
      const store = await readStore(path);
      await writeStore(path, { ...store, [trustRoot(folder)]: { since: new Date().toISOString() } });
    },
  };
}

async function readStore(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // A FIFO in its place would wait for ever.
    if (!(await stat(path)).isFile()) throw unreadable(path);
    const store: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isJsonObject(store)) return store;
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return {};
    if (thrown instanceof AgentError) throw thrown;
  }
  throw unreadable(path);
}

function unreadable(path: string): AgentError {
  return new AgentError({
    code: 'config_unreadable',
    message: `${path} is not readable as a list of trusted folders.`,
    remedy: 'Mend or remove that file.',
  });
}

async function writeStore(path: string, store: object): Promise<void> {
  const temp = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(temp, `${JSON.stringify(store, null, 2)}\n`, { mode: 0o600 });
    await rename(temp, path);
  } catch (cause) {
    const record = {
      code: 'config_unreadable',
      message: `The list of trusted folders could not be written: ${messageOf(cause)}`,
      remedy: 'Make that place writable, or go on without --trust.',
    } as const;
    throw new AgentError(record, { cause });
  }
}
