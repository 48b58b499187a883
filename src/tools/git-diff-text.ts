import type { GitRepository } from '../core/ports.ts';
import type { DiffBase } from './git-base.ts';
import type { DiffContent, DiffLimits, FileChange, FilePatch } from './git-diff-reader.ts';
import { fromTo, nameFrom, plural } from './git-output.ts';
import { describeSubmodule, type SubmoduleChanges } from './git-submodules.ts';
import { listUntracked, type Untracked } from './git-untracked.ts';

export interface DiffFacts {
  readonly cwd: string;
  readonly repository: GitRepository;
  readonly base: DiffBase;
  readonly input: { readonly staged?: boolean; readonly base?: string };
  readonly content: DiffContent;
  /** Names whose lines are not shown, since they may hold secrets. */
  readonly withheld: readonly string[];
  readonly untracked: Untracked;
  readonly submodules: SubmoduleChanges;
  /** Changed names that lie outside of the workspace. */
  readonly outside: readonly string[];
  readonly filterNote: string | null;
}

/** How much of the lines is kept. */
export const DIFF_LIMITS: DiffLimits = { maxFiles: 1000, maxFileChars: 10_000, maxChars: 40_000, maxLineChars: 500 };
const MIN_FILE_CHARS = 1000;
const MAX_LISTED = 300;
const MAX_UNTRACKED = 50;
const MAX_OUTSIDE_NAMED = 5;
const MAX_SKIPPED_NAMED = 20;

type NameOf = (name: string) => string;

/** A diff in words and lines: what is compared, the list of files, then each file's lines. */
export function describeDiff(facts: DiffFacts): string {
  const { cwd, repository, content, untracked } = facts;
  const nameOf = nameFrom(cwd, repository.root);
  return [
    headline(facts),
    `Names are relative to ${cwd}${repository.root === cwd ? '' : `; the repository is ${repository.root}`}.`,
    ...listChanges(facts, nameOf),
    ...(facts.filterNote === null ? [] : [facts.filterNote]),
    ...outsideNote(facts.outside, nameOf),
    ...withheldNote(facts.withheld, nameOf),
    ...(untracked.names.length === 0 ? [] : [`Untracked, not in this diff (${untracked.names.length}):`]),
    ...listUntracked(untracked, MAX_UNTRACKED, nameOf),
    ...renderPatches(content, nameOf),
  ].join('\n');
}

function headline({ repository: { root, path }, content, base, input: { staged, base: name } }: DiffFacts): string {
  const last = base.isUnborn ? 'the beginning (no commits yet)' : `the last commit (${base.id})`;
  const since = `since ${name === undefined ? last : `${name} (${base.id})`}`;
  const { files, added, removed } = content.totals;
  const place = path === root ? '' : `in ${path} `;
  if (files === 0) return `No ${staged === true ? 'staged ' : ''}changes ${place}${since}.`;
  const what = staged === true ? 'Staged changes' : 'Changes, staged or not,';
  return `${what} ${place}${since}: ${plural(files, 'file')}, +${added} -${removed}.`;
}

function listChanges({ content, submodules }: DiffFacts, nameOf: NameOf): string[] {
  const { changes, patches, totals } = content;
  const inside = new Map(submodules.changes.map((change) => [change.path, describeSubmodule(change)]));
  const lines = changes.slice(0, MAX_LISTED).map((change, i) => {
    const words = isSubmodule(change) ? submoduleWords(change, patches[i], inside.get(change.path)) : wordsFor(change);
    return `  ${words}: ${change.oldPath === null ? nameOf(change.path) : fromTo(nameOf(change.oldPath), nameOf(change.path))}`;
  });
  const left = totals.files - lines.length;
  const dirtyOnly = [...inside].filter(([path]) => !changes.some((change) => change.path === path));
  return [
    ...lines,
    ...(left > 0 ? [`  [${left} more files not listed: give a path.]`] : []),
    ...dirtyOnly.map(([path, words]) => `  submodule, ${words}: ${nameOf(path)}`),
    ...(submodules.notLookedAt > 0 ? [`  [${plural(submodules.notLookedAt, 'more submodule')} not looked into.]`] : []),
  ];
}

function outsideNote(outside: readonly string[], nameOf: NameOf): string[] {
  if (outside.length === 0) return [];
  const named = outside.slice(0, MAX_OUTSIDE_NAMED).map(nameOf);
  const more = outside.length > named.length ? ` and ${outside.length - named.length} more` : '';
  return [`Not shown, changed in the repository but outside of this folder: ${named.join(', ')}${more}.`];
}

function withheldNote(withheld: readonly string[], nameOf: NameOf): string[] {
  if (withheld.length === 0) return [];
  const names = withheld.slice(0, MAX_SKIPPED_NAMED).map(nameOf).join(', ');
  const more = withheld.length > MAX_SKIPPED_NAMED ? ` and ${withheld.length - MAX_SKIPPED_NAMED} more` : '';
  return [`Lines not shown, because they may hold secrets: ${names}${more}. GitDiff with the path of one asks the person.`];
}

/** Each file's hunks under its names, within the room; every file gets an equal part of what the smaller ones leave. */
function renderPatches({ changes, patches }: DiffContent, nameOf: NameOf): string[] {
  const shares = shareOut(patches.map(sizeOf));
  const more = changes.length === 1 ? 'ReadFile' : 'GitDiff with path';
  const blocks = changes.map((change, i) => {
    const patch = patches[i];
    const share = shares[i] ?? 0;
    if (patch === undefined || patch.totalLines === 0 || share === 0 || isSubmodule(change)) return [];
    const shown = linesWithin(patch.lines, share);
    const left = patch.totalLines - shown.length;
    return [
      '',
      ...headerOf(change, nameOf),
      ...shown,
      ...(left > 0 ? [`[… ${left} more lines of this diff left out; ${more} shows more.]`] : []),
    ];
  });
  const skipped = changes.filter((change, i) => (patches[i]?.totalLines ?? 0) > 0 && shares[i] === 0 && !isSubmodule(change));
  return [...blocks.flat(), ...skippedNote(skipped, nameOf)];
}

function skippedNote(skipped: readonly FileChange[], nameOf: NameOf): string[] {
  if (skipped.length === 0) return [];
  const named = skipped.slice(0, MAX_SKIPPED_NAMED).map(({ path }) => nameOf(path));
  const more = skipped.length > named.length ? ` and ${skipped.length - named.length} more` : '';
  return ['', `[No room for the lines of ${named.join(', ')}${more}: give a path to see them.]`];
}

const WORDS: Readonly<Record<string, string>> = {
  M: 'modified',
  T: 'type changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
};

function wordsFor({ letter, oldMode, newMode, added, removed }: FileChange): string {
  if (letter === 'U') return 'in conflict';
  const words = `${added === null ? 'binary' : `+${added} -${removed}`} ${WORDS[letter] ?? `state ${letter}`}`;
  if (oldMode === '100644' && newMode === '100755') return `${words}, now executable`;
  return oldMode === '100755' && newMode === '100644' ? `${words}, no longer executable` : words;
}

const SUBMODULE_MODE = '160000';

function isSubmodule({ oldMode, newMode }: FileChange): boolean {
  return oldMode === SUBMODULE_MODE || newMode === SUBMODULE_MODE;
}

function submoduleWords({ letter }: FileChange, patch: FilePatch | undefined, inside: string | undefined): string {
  const commits = (patch?.lines ?? []).flatMap(
    (line) => /^[-+]Subproject commit ([0-9a-f]+)/.exec(line)?.[1]?.slice(0, 12) ?? [],
  );
  const parts = [WORDS[letter] ?? 'changed', commits.length === 0 ? null : `commit ${commits.join(' → ')}`, inside ?? null];
  return `submodule, ${parts.filter((part) => part !== null).join(', ')}`;
}

function headerOf({ letter, path, oldPath }: FileChange, nameOf: NameOf): string[] {
  const before = letter === 'A' ? '/dev/null' : `a/${nameOf(oldPath ?? path)}`;
  const after = letter === 'D' ? '/dev/null' : `b/${nameOf(path)}`;
  return [`--- ${before}`, `+++ ${after}`];
}

function sizeOf({ lines }: FilePatch): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** How many characters each may have: all that it needs, or an equal part. Where that is too little to be of use, the smallest go first and the rest get none. */
function shareOut(sizes: readonly number[]): number[] {
  const shares = sizes.map(() => 0);
  const order = sizes.map((_size, i) => i).toSorted((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  let room = DIFF_LIMITS.maxChars;
  order.forEach((index, place) => {
    const equalPart = Math.max(MIN_FILE_CHARS, Math.floor(room / (order.length - place)));
    const share = Math.min(sizes[index] ?? 0, equalPart);
    if (share > room) return;
    shares[index] = share;
    room -= share;
  });
  return shares;
}

function linesWithin(lines: readonly string[], maxChars: number): string[] {
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    shown.push(line);
  }
  return shown;
}
