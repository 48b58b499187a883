import type { ContentStore } from '../host/effects/content-store.ts';
import type { EntryState, PathChange } from '../host/effects/entry-state.ts';
import { isSameState } from '../host/effects/entry-state.ts';
import { lineDiff } from '../host/effects/line-diff.ts';
import { nameOf, type RawPath, shownPath } from '../host/effects/raw-path.ts';
import { relativeTo } from '../host/effects/coverage.ts';

const SNIFFED_BYTES = 8000;

/** What changes came to, path by path, in the form of `diff -u` with git's words for modes. */
export function renderDiff(changes: readonly PathChange[], store: ContentStore, root: RawPath): string {
  return changes
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((change) => partOf(change, store, shownPath(relativeTo(root, change.path))))
    .map((line) => `${line}\n`)
    .join('');
}

/** Each path once: from what it was first to what it was last. */
export function foldChanges(inOrder: readonly (readonly PathChange[])[]): PathChange[] {
  const folded = new Map<RawPath, PathChange>();
  for (const change of inOrder.flat()) folded.set(change.path, { ...change, before: (folded.get(change.path) ?? change).before });
  return [...folded.values()].filter(({ before, after }) => !isSameState(before, after));
}

/** Git's own files are left out: nobody reads them. */
export function isForReaders({ path }: PathChange): boolean {
  return !path.includes('/.git/') && nameOf(path) !== '.git';
}

function partOf({ before, after }: PathChange, store: ContentStore, path: string): string[] {
  const heads = [`diff ${path}`, ...headsOf(before, after)];
  const [old, young] = [textOf(before, store), textOf(after, store)];
  if (old === null || young === null) return [...heads, 'content not kept'];
  if (isBinary(old) || isBinary(young)) return old.equals(young) ? heads : [...heads, 'binary content differs'];
  const body = lineDiff(old.toString('utf8'), young.toString('utf8'));
  if (body.length === 0) return heads;
  return [
    ...heads,
    `--- ${isText(before) ? `a/${path}` : '/dev/null'}`,
    `+++ ${isText(after) ? `b/${path}` : '/dev/null'}`,
    ...body,
  ];
}

function headsOf(before: EntryState | null, after: EntryState | null): string[] {
  if (before === null) return after === null ? [] : [`new ${kindOf(after)}`];
  if (after === null) return [`deleted ${kindOf(before)}`];
  if (kindOf(before) === kindOf(after)) return [];
  return [`old ${kindOf(before)}`, `new ${kindOf(after)}`];
}

function kindOf(state: EntryState): string {
  switch (state.kind) {
    case 'file':
    case 'folder':
      return `${state.kind} mode ${state.mode.toString(8).padStart(4, '0')}`;
    case 'link':
      return 'link';
    case 'uncovered':
      return `thing that undo does not cover (${state.why})`;
  }
}

function isText(state: EntryState | null): boolean {
  return state?.kind === 'file' || state?.kind === 'link';
}

/** The target of a link is shown as its content. Null where it is not kept any more. */
function textOf(state: EntryState | null, store: ContentStore): Buffer | null {
  if (state?.kind === 'link') return Buffer.from(state.target, 'latin1');
  if (state?.kind !== 'file') return Buffer.alloc(0);
  const content = store.read(state.hash);
  return content === null ? null : Buffer.from(content);
}

function isBinary(content: Buffer): boolean {
  return content.subarray(0, SNIFFED_BYTES).includes(0);
}
