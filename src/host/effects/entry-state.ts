import type { RawPath } from './raw-path.ts';

/** Why what stands somewhere cannot be brought back. */
export type UncoveredReason = 'dependencies' | 'large' | 'unreadable' | 'special';

/** What stands at a path, as far as an undo brings it back. Modes are the twelve permission bits; a hash is SHA-256 in hex. */
export type EntryState =
  | { readonly kind: 'file'; readonly mode: number; readonly size: number; readonly hash: string }
  /** `target` is raw, like a path. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder'; readonly mode: number }
  /** `mark` tells it from another such thing. */
  | { readonly kind: 'uncovered'; readonly why: UncoveredReason; readonly mark: string };

/** What happened at one path. Null is: nothing stands there. */
export interface PathChange {
  readonly path: RawPath;
  readonly before: EntryState | null;
  readonly after: EntryState | null;
}

export function isSameState(a: EntryState | null, b: EntryState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file') return b.kind === 'file' && a.mode === b.mode && a.hash === b.hash;
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target;
  if (a.kind === 'folder') return b.kind === 'folder' && a.mode === b.mode;
  return b.kind === 'uncovered' && a.mark === b.mark;
}
