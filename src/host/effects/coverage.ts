import type { UncoveredReason } from './entry-state.ts';
import { joinRaw, nameOf, type RawPath, shownPath } from './raw-path.ts';
import { lstatOrNull } from './read-entry.ts';
import limits from './uncovered.json' with { type: 'json' };

/** Something that no undo brings back. */
export interface Uncovered {
  readonly path: RawPath;
  readonly why: UncoveredReason;
}

const DEPENDENCIES: ReadonlySet<string> = new Set(limits.dependencyFolders);
const SHOWN_NAMES = 4;

/** Why nothing in a folder is covered, or null where it is. */
export function uncoveredFolder(path: RawPath): UncoveredReason | null {
  return DEPENDENCIES.has(nameOf(path)) || stands(joinRaw(path, limits.cacheMark)) ? 'dependencies' : null;
}

function stands(path: RawPath): boolean {
  try {
    return lstatOrNull(path) !== null;
  } catch {
    return false;
  }
}

const REASONS: Readonly<Record<UncoveredReason, string>> = {
  dependencies: 'dependency and cache folders',
  large: `files over ${limits.maxFileBytes / 1024 ** 2} MB`,
  unreadable: 'what cannot be read',
  special: 'pipes, sockets and devices',
};
/** What a command can also make, so it is named in any case. */
const ALWAYS_NAMED: readonly UncoveredReason[] = ['dependencies', 'large'];

/** What of a workspace is not covered, in one line. */
export function describeCoverage(uncovered: readonly Uncovered[], root: RawPath): string {
  const reasons = (Object.keys(REASONS) as UncoveredReason[]).flatMap((reason) => {
    const part = partOf(uncovered, reason, root);
    return part !== null ? [part] : ALWAYS_NAMED.includes(reason) ? [REASONS[reason]] : [];
  });
  return [...reasons, 'anything outside of this folder'].join('; ');
}

/** Of things that are not covered: what they are and which, in one line. */
export function describeUncovered(uncovered: readonly Uncovered[], root: RawPath): string {
  const reasons = (Object.keys(REASONS) as UncoveredReason[]).map((reason) => partOf(uncovered, reason, root));
  return reasons.filter((part) => part !== null).join('; ');
}

function partOf(uncovered: readonly Uncovered[], reason: UncoveredReason, root: RawPath): string | null {
  const paths = uncovered.filter(({ why }) => why === reason).map(({ path }) => shownPath(relativeTo(root, path)));
  if (paths.length === 0) return null;
  const more = paths.length > SHOWN_NAMES ? ` and ${paths.length - SHOWN_NAMES} more` : '';
  return `${REASONS[reason]} (${paths.slice(0, SHOWN_NAMES).join(', ')}${more})`;
}

/** As a person names it who is in `root`. */
export function relativeTo(root: RawPath, path: RawPath): RawPath {
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
