/** What a list of files says about a folder, each part with the most frequent first. */
export interface FolderSummary {
  /** Folders right below, with how many files are in them. */
  readonly folders: readonly (readonly [string, number])[];
  /** File extensions, with how many files have them. */
  readonly kinds: readonly (readonly [string, number])[];
  /** Files right in the folder. */
  readonly top: readonly string[];
}

/** Counts folders and kinds of files. Paths are relative to the folder. */
export function folderSummary(files: readonly string[]): FolderSummary {
  return {
    folders: counted(files.filter((file) => file.includes('/')).map((file) => `${file.split('/')[0] ?? ''}/`)),
    kinds: counted(files.map(kindOf)),
    top: files.filter((file) => !file.includes('/')).toSorted((a, b) => (a < b ? -1 : 1)),
  };
}

function kindOf(file: string): string {
  const name = file.split('/').at(-1) ?? file;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : name;
}

function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
