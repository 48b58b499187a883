/** A thing that a call can touch. Paths are absolute; a folder stands for all below it. */
export type Resource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'todos' }
  | { readonly kind: 'job'; readonly id: string }
  | { readonly kind: 'net'; readonly host: string }
  | { readonly kind: 'agent' };

/** All that a call may touch. `everything` where it cannot be listed. */
export type Footprint =
  | { readonly extent: 'listed'; readonly reads: readonly Resource[]; readonly writes: readonly Resource[] }
  | { readonly extent: 'everything'; readonly writes: boolean };

/** A footprint with each file path resolved to a real one. What the policy judged is what the call may open. */
export type ResolvedFootprint = Footprint;

/** True for a call that does nothing itself: a sub-agent works for it, each of whose calls is judged and takes its own place in the order. */
export function isDelegated(footprint: Footprint): boolean {
  if (footprint.extent === 'everything' || footprint.writes.length === 0) return false;
  return [...footprint.reads, ...footprint.writes].every(({ kind }) => kind === 'agent');
}

/** Compares by segment: `/a/b` is within `/a`, `/a-b` is not. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** True where two calls must not run at once: a write of one overlaps a read or write of the other. */
export function footprintsConflict(a: ResolvedFootprint, b: ResolvedFootprint): boolean {
  if (a.extent === 'everything' || b.extent === 'everything') return writesAnything(a) || writesAnything(b);
  return overlap(a.writes, b.writes) || overlap(a.writes, b.reads) || overlap(a.reads, b.writes);
}

function writesAnything(footprint: ResolvedFootprint): boolean {
  return footprint.extent === 'everything' ? footprint.writes : footprint.writes.length > 0;
}

function overlap(some: readonly Resource[], others: readonly Resource[]): boolean {
  return some.some((a) => others.some((b) => isSameThing(a, b)));
}

function isSameThing(a: Resource, b: Resource): boolean {
  if (a.kind === 'file' && b.kind === 'file') return isWithin(a.path, b.path) || isWithin(b.path, a.path);
  if (a.kind === 'net' && b.kind === 'net') return a.host === b.host;
  if (a.kind === 'job' && b.kind === 'job') return a.id === b.id;
  return a.kind === b.kind;
}
