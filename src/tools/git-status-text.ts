import type { GitOperation, GitRepository } from '../core/ports.ts';
import { fromTo, nameFrom, plural } from './git-output.ts';
import type { StatusEntry, StatusReport } from './git-status-parse.ts';
import { describeSubmodule, type SubmoduleChanges } from './git-submodules.ts';
import { listUntracked, type Untracked } from './git-untracked.ts';

export interface StatusFacts {
  readonly cwd: string;
  readonly repository: GitRepository;
  readonly report: StatusReport;
  readonly untracked: Untracked;
  readonly submodules: SubmoduleChanges;
  readonly filterNote: string | null;
}

const MAX_ENTRIES = 200;
const MAX_UNTRACKED = 200;

/** The state of a repository in words. */
export function describeStatus(facts: StatusFacts): string {
  const { repository, report, submodules } = facts;
  const head = [...headLines(report), ...repository.operations.map(operationLine), placeLine(facts)];
  const sections = sectionsOf(facts);
  const notes = [
    facts.filterNote,
    report.isCut ? 'There are more changes than could be read; this list is partial.' : null,
    submodules.notLookedAt > 0 ? `${plural(submodules.notLookedAt, 'submodule')} not looked into.` : null,
  ].filter((note) => note !== null);
  const body = sections.length === 0 ? ['', 'Clean: nothing is staged, changed or untracked.'] : sections.flat();
  return [...head, ...body, ...(notes.length === 0 ? [] : ['', ...notes])].join('\n');
}

function headLines(report: StatusReport): string[] {
  const { branch, commit } = report;
  if (branch === null) return [`HEAD is detached at ${commit}.`];
  const state = commit === null ? 'no commits yet' : `at ${commit}`;
  return [`Branch ${branch}, ${state}.`, upstreamLine(report)];
}

function upstreamLine({ upstream, ahead, behind }: StatusReport): string {
  if (upstream === null) return 'No upstream branch.';
  if (ahead === null || behind === null) return `Upstream ${upstream}, which has no commit here.`;
  if (ahead === 0 && behind === 0) return `Upstream ${upstream}, level with it.`;
  return `Upstream ${upstream}: ${ahead} ahead, ${behind} behind.`;
}

const NEXT_STEP: Readonly<Record<GitOperation['kind'], string>> = {
  merge: 'git merge --continue concludes it, --abort takes it back',
  rebase: 'git rebase --continue goes on, --abort takes it back',
  am: 'git am --continue goes on, --abort takes it back',
  'cherry-pick': 'git cherry-pick --continue goes on, --abort takes it back',
  revert: 'git revert --continue goes on, --abort takes it back',
  bisect: 'git bisect good or bad goes on, git bisect reset ends it',
};

function operationLine({ kind, detail }: GitOperation): string {
  return `In progress: ${kind}${detail === null ? '' : ` ${detail}`}. ${NEXT_STEP[kind]}.`;
}

function placeLine({ cwd, repository: { root } }: StatusFacts): string {
  if (root === cwd) return `Names are relative to ${cwd}, the top of the repository.`;
  return `Names are relative to ${cwd}, which is inside the repository ${root}: ../ leads out of the workspace, where untracked files are not listed.`;
}

function sectionsOf({ cwd, repository, report, untracked, submodules }: StatusFacts): string[][] {
  const nameOf = nameFrom(cwd, repository.root);
  const conflicts = report.entries.filter((entry) => entry.isConflict);
  const settled = report.entries.filter((entry) => !entry.isConflict);
  const staged = settled.filter((entry) => entry.staged !== '.');
  const unstaged = settled.filter((entry) => entry.unstaged !== '.');
  const inside = new Map(submodules.changes.map((change) => [change.path, change]));
  const wordsInside = (path: string): string => {
    const change = inside.get(path);
    return change === undefined ? '' : `, ${describeSubmodule(change)}`;
  };
  const onlyInside = submodules.changes.filter(({ path }) => !unstaged.some((entry) => entry.path === path));
  return [
    section(
      'Conflicts, to be resolved',
      conflicts.map((entry) => `${CONFLICTS[entry.staged + entry.unstaged] ?? 'conflict'}: ${nameOf(entry.path)}`),
    ),
    section(
      'Staged, part of the next commit',
      staged.map((entry) => `${wordFor(entry, entry.staged)}: ${namesOf(entry, entry.staged, nameOf)}`),
    ),
    section('Not staged', [
      ...unstaged.map((entry) => {
        const word = entry.isSubmodule && entry.unstaged === 'M' ? `submodule, new commit${wordsInside(entry.path)}` : null;
        return `${word ?? wordFor(entry, entry.unstaged)}: ${namesOf(entry, entry.unstaged, nameOf)}`;
      }),
      ...onlyInside.map((change) => `submodule, ${describeSubmodule(change)}: ${nameOf(change.path)}`),
    ]),
    untracked.names.length === 0
      ? []
      : ['', `Untracked (${untracked.names.length}):`, ...listUntracked(untracked, MAX_UNTRACKED, nameOf)],
  ].filter((lines) => lines.length > 0);
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - MAX_ENTRIES;
  const shown = lines.slice(0, MAX_ENTRIES).map((line) => `  ${line}`);
  return ['', `${title} (${lines.length}):`, ...shown, ...(left > 0 ? [`  [${left} more not shown.]`] : [])];
}

// Source: git-status(1) of git 2.39, the table of unmerged states.
const CONFLICTS: Readonly<Record<string, string>> = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
};

const CHANGES: Readonly<Record<string, string>> = {
  M: 'modified',
  T: 'type changed',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
};

function wordFor({ isSubmodule }: StatusEntry, letter: string): string {
  return `${isSubmodule ? 'submodule, ' : ''}${CHANGES[letter] ?? `state ${letter}`}`;
}

function namesOf({ path, oldPath }: StatusEntry, letter: string, nameOf: (name: string) => string): string {
  const isMoved = oldPath !== null && (letter === 'R' || letter === 'C');
  return isMoved ? fromTo(nameOf(oldPath), nameOf(path)) : nameOf(path);
}
