// A backend of one's own: a dry run. The agent reads the files of this machine; what it writes stays in memory and is handed back.
import {
  type AgentEvent,
  type Change,
  collectRun,
  createAgent,
  createBackend,
  createLocalBackend,
  createRegistry,
  type FileAccess,
  type Provider,
  setupTools,
} from 'wield';
import { MemoryFiles } from 'wield/backends';

/** Files as they would be: those that were written lie over those of a disk. */
function overlay(disk: FileAccess, written: MemoryFiles): FileAccess {
  const isWritten = (path: string): Promise<boolean> =>
    written.stat(path).then(
      ({ kind }) => kind === 'file',
      () => false,
    );
  const sourceOf = async (path: string): Promise<FileAccess> => ((await isWritten(path)) ? written : disk);
  // A file comes up before it is changed, so that versions are compared where the write is.
  const raise = async ({ path, bytes }: Pick<Change, 'path' | 'bytes'>): Promise<void> => {
    if (bytes === null) throw Object.assign(new Error('a dry run deletes nothing'), { code: 'EROFS' });
    const old = (await isWritten(path)) ? null : await disk.read(path).catch(() => null);
    if (old !== null) await written.replace(path, old, 'absent');
  };
  return {
    ...written,
    realPath: disk.realPath,
    stat: async (path) => (await sourceOf(path)).stat(path),
    read: async (path, range) => (await sourceOf(path)).read(path, range),
    list: async (path) => {
      const above = await written.list(path).catch(() => null);
      const below = above === null ? await disk.list(path) : await disk.list(path).catch(() => []);
      return [...new Set([...below, ...(above ?? [])])];
    },
    replace: async (path, bytes, expect) => {
      await raise({ path, bytes });
      return written.replace(path, bytes, expect);
    },
    transact: async (changes) => {
      for (const change of changes) await raise(change);
      await written.transact(changes);
    },
  };
}

/** Lets a model work in a folder, and gives what it would have written: contents by path. Nothing on the disk is touched. */
export async function dryRun(
  provider: Provider,
  { cwd, prompt }: { readonly cwd: string; readonly prompt: string },
  onEvent?: (event: AgentEvent) => void,
): Promise<Readonly<Record<string, string>>> {
  const local = createLocalBackend({ cwd });
  const written = new MemoryFiles();
  // Files are enough: searches are built on them, so they see what was written. Without a shell there are no commands.
  const backend = createBackend({ cwd: local.cwd, files: overlay(local.files, written), close: local.close });
  const registry = setupTools(createRegistry(), { allowWrite: true });
  await using agent = createAgent({ provider, backend, registry, permissions: { mode: 'acceptEdits' } });
  await collectRun(agent.run(prompt), onEvent);
  return written.texts();
}
