import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentError, messageOf, systemCodeOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import { configFingerprint } from './config-fingerprint.ts';

/** `changed`: the folder was trusted, and what in it could run something is not what was trusted then. */
export type TrustState = 'trusted' | 'changed' | 'unknown';

/** Folders whose instructions and settings may be loaded, by real path of the repository. */
export interface TrustStore {
  check(folder: string): Promise<TrustState>;
  /** Trusts the folder with the configuration that is there now. */
  trust(folder: string): Promise<void>;
  /** Makes a change of our own to the configuration of a folder and keeps it trusted, where it was before; else the change is made alone. */
  renew(folder: string, change: () => Promise<void>): Promise<void>;
}

/** Trust holds for a repository, or for a folder outside of one; a repository inside a trusted one is on its own. */
export function trustRoot(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) return at;
  return folder;
}

/** A store in one JSON file. Errors: AgentError `config_unreadable` where the file is not what we wrote; nothing is trusted then. */
export function createTrustStore(path: string): TrustStore {
  const check = async (folder: string): Promise<TrustState> => {
    const root = trustRoot(folder);
    const store = await readStore(path);
    if (!Object.hasOwn(store, root)) return 'unknown';
    const known = knownConfig(store[root]);
    for (const place of foldersDownTo(folder, root)) {
      const now = await configFingerprint(place, root);
      if (now === 'unreadable' || now !== (known[place] ?? null)) return 'changed';
    }
    return 'trusted';
  };
  const trust = async (folder: string): Promise<void> => {
    const root = trustRoot(folder);
    const store = await readStore(path);
    const config: Record<string, string> = { ...knownConfig(store[root]) };
    for (const place of foldersDownTo(folder, root)) {
      const now = await configFingerprint(place, root);
      if (now === null) delete config[place];
      else config[place] = now;
    }
    await writeStore(path, { ...store, [root]: { since: new Date().toISOString(), config } });
  };
  return {
    check,
    trust,
    renew: async (folder, change) => {
      const before = await check(folder);
      await change();
      if (before === 'trusted') await trust(folder);
    },
  };
}

/** The folders from a repository's root down to one in it. */
export function foldersDownTo(folder: string, root: string): readonly string[] {
  const chain = [folder];
  for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) chain.unshift(dirname(at));
  return chain;
}

/** What was there when a folder was trusted, by folder. */
function knownConfig(entry: unknown): Readonly<Record<string, string>> {
  const config = isJsonObject(entry) ? entry['config'] : undefined;
  if (!isJsonObject(config)) return {};
  return Object.fromEntries(Object.entries(config).flatMap(([place, hash]) => (typeof hash === 'string' ? [[place, hash]] : [])));
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
