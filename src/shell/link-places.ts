import type { PathUse, ShellPart } from './report.ts';

/** From which part of a command on some paths may be links that the command itself put there. */
export interface LinkPlace {
  /** Null where it is known only at run time. */
  readonly path: string | null;
  /** The first part that comes after it. */
  readonly from: number;
}

/** The parts, without the paths that may lead elsewhere by then: what is judged before a command runs cannot follow links that it makes. */
export function withoutLinkedPaths(parts: readonly ShellPart[], links: readonly LinkPlace[]): readonly ShellPart[] {
  if (links.length === 0) return parts;
  return parts.map((part, at) => {
    const before = links.filter(({ from }) => from <= at);
    if (before.length === 0) return part;
    const follow = (use: PathUse): PathUse => (before.some((link) => leadsThrough(use, link)) ? { ...use, path: null } : use);
    return { ...part, reads: part.reads.map(follow), writes: part.writes.map(follow) };
  });
}

function leadsThrough(use: PathUse, { path }: LinkPlace): boolean {
  if (use.path === null || path === null) return use.path !== null;
  return use.path === path || use.path.startsWith(path === '/' ? path : `${path}/`);
}
