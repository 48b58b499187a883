import { type GitText, nulItems } from './git-output.ts';

/** A tracked path that changed. `staged` and `unstaged` are git's letters: M, T, A, D, R, C, U, or a dot for no change. */
export interface StatusEntry {
  readonly path: string;
  /** Where it was before a rename or copy. */
  readonly oldPath: string | null;
  readonly staged: string;
  readonly unstaged: string;
  readonly isConflict: boolean;
  readonly isSubmodule: boolean;
}

/** `commit` is null before the first one, `branch` where HEAD is detached; `ahead` and `behind` where the upstream has no commit here. */
export interface StatusReport {
  readonly commit: string | null;
  readonly branch: string | null;
  readonly upstream: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly entries: readonly StatusEntry[];
  readonly untracked: readonly string[];
  readonly isCut: boolean;
}

// How many fields stand before the path. Source: git-status(1) of git 2.39, "Porcelain Format Version 2".
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

/** Reads `git status --porcelain=v2 --branch -z`. */
export function parseStatus(output: GitText): StatusReport {
  const headers = new Map<string, string>();
  const entries: StatusEntry[] = [];
  const untracked: string[] = [];
  const items = nulItems(output).values();
  for (const item of items) {
    const { kind, fields, path } = splitItem(item);
    if (kind === '#') headers.set(fields[1] ?? '', item.slice(`# ${fields[1]} `.length));
    else if (kind === '?') untracked.push(path);
    else if (kind in FIELDS_BEFORE_PATH) entries.push(entryOf(fields, path, kind === '2' ? items.next().value : undefined));
  }
  const counts = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '');
  return {
    commit: unless(headers.get('branch.oid'), '(initial)'),
    branch: unless(headers.get('branch.head'), '(detached)'),
    upstream: headers.get('branch.upstream') ?? null,
    ahead: counts === null ? null : Number(counts[1]),
    behind: counts === null ? null : Number(counts[2]),
    entries,
    untracked,
    isCut: output.isCut,
  };
}

function splitItem(item: string): { kind: string; fields: string[]; path: string } {
  const kind = item.slice(0, 1);
  const fields = item.split(' ', FIELDS_BEFORE_PATH[kind] ?? 2);
  return { kind, fields, path: item.slice(fields.join(' ').length + 1) };
}

function entryOf([kind, states = '..', submodule = 'N']: readonly string[], path: string, oldPath?: string): StatusEntry {
  return {
    path,
    oldPath: oldPath ?? null,
    staged: states.charAt(0),
    unstaged: states.charAt(1),
    isConflict: kind === 'u',
    isSubmodule: submodule.startsWith('S'),
  };
}

function unless(value: string | undefined, placeholder: string): string | null {
  return value === undefined || value === placeholder ? null : value;
}
