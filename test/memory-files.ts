import { shortHash } from '../src/core/hash.ts';
import { type FileAccess, FileConflict, type FileContent, type Version } from '../src/core/ports.ts';

const joined = (content: FileContent): Uint8Array => (content instanceof Uint8Array ? content : Buffer.concat(content));

/** Files that exist only here, by absolute path. */
export function createMemoryFiles(initial: Readonly<Record<string, string>>): {
  readonly files: FileAccess;
  texts(): Record<string, string>;
} {
  const contents = new Map<string, Uint8Array>(Object.entries(initial).map(([path, text]) => [path, Buffer.from(text, 'utf8')]));
  const seen = new Map<string, Version>();
  const get = (path: string): Uint8Array => {
    const bytes = contents.get(path);
    if (bytes === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return bytes;
  };
  const transact: FileAccess['transact'] = async (changes) => {
    for (const { path, expect } of changes) {
      const known = contents.get(path);
      const version = known === undefined ? 'absent' : shortHash(known);
      if (expect !== 'any' && expect !== version) throw new FileConflict(path);
    }
    for (const { path, bytes } of changes) {
      if (bytes === null) contents.delete(path);
      else contents.set(path, joined(bytes));
    }
  };
  return {
    texts: () => Object.fromEntries([...contents].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')])),
    files: {
      tracksSeen: false,
      stat: async (path) => ({ kind: 'file', sizeBytes: get(path).length, mtimeMs: 0, mode: 0o644 }),
      list: async () => [...contents.keys()].map((path) => path.split('/').at(-1) ?? ''),
      read: async (path, range) =>
        get(path).subarray(range?.start ?? 0, range === undefined ? undefined : range.start + range.length),
      replace: async (path, bytes, expect) => {
        await transact([{ path, bytes, expect }]);
        return shortHash(joined(bytes));
      },
      transact,
      seen: (path) => seen.get(path) ?? null,
      noteSeen: (path, version) => void seen.set(path, version),
    },
  };
}
