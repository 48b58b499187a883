import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FindOutcome, FindRequest, GrepOutcome, GrepRequest, SearchAccess } from '../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { CountCollector } from './count-collector.ts';
import { MatchCollector } from './match-collector.ts';
import { type RipgrepEnd, runRipgrep } from './ripgrep.ts';
import { complaintNotes, scopeArguments, scopeNote, startFolder } from './search-scope.ts';

const FIND_TIMEOUT_MS = 20_000;
const MAX_PATH_BYTES = 64 * 1024;
// rg keeps what it prints of a file until it is through with it, so a log of gigabytes must not be printed whole.
const MAX_PER_FILE = 10_000;

/** The search of this machine, on ripgrep. */
export function createLocalSearch(): SearchAccess {
  return { find, grep };
}

async function find(request: FindRequest): Promise<FindOutcome> {
  const { root, includeIgnored, signal } = request;
  const accepted: string[] = [];
  const start = await startFolder(root, request.below ?? '', includeIgnored);
  const end = await listFiles(
    { cwd: root, args: [...scopeArguments(includeIgnored), start], timeoutMs: FIND_TIMEOUT_MS, signal },
    (path) => {
      if (request.accepts(path)) accepted.push(path);
    },
  );
  const notes = [
    scopeNote(includeIgnored),
    ...complaintNotes(end.stderr),
    end.timedOut ? 'Stopped after 20 s: this list is partial.' : null,
  ].filter((note) => note !== null);
  return { files: newestFirst(root, accepted).slice(0, request.maxResults), total: accepted.length, notes };
}

/** A file that vanished in between sorts last. */
function newestFirst(root: string, paths: readonly string[]): string[] {
  const dated = paths.map((path) => ({ path, mtimeMs: statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return dated.map(({ path }) => path);
}

interface Listing {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function listFiles({ args, ...run }: Listing, onPath: (path: string) => void): Promise<RipgrepEnd> {
  const paths = new ByteSplitter(0, (path) => onPath(path.toString('utf8').replace(/^\.\//, '')), MAX_PATH_BYTES);
  return runRipgrep({ ...run, args: ['--files', '--null', ...args], onOutput: (bytes) => paths.add(bytes) });
}

async function grep(request: GrepRequest): Promise<GrepOutcome> {
  const isFile = (await stat(request.path)).isFile();
  const chosen = isFile || request.glob === null ? null : await filesChosen(request);
  if (chosen !== null && chosen.paths.size === 0) return nothingChosen(request, chosen);
  const accepts = (path: string): boolean => chosen === null || chosen.paths.has(path);
  const collector =
    request.countsOnly === true ? new CountCollector(request.maxResults, accepts) : matchCollector(request, accepts);
  const end = await runRipgrep({
    args: [...grepArguments(request), '--', isFile ? basename(request.path) : './'],
    cwd: isFile ? dirname(request.path) : request.path,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    onOutput: (bytes) => collector.add(bytes),
  });
  const { filesSearched, notes, ...found } = collector.finish();
  return {
    ...found,
    filesSearched: chosen?.paths.size ?? filesSearched ?? 0,
    timedOut: end.timedOut || chosen?.isPartial === true,
    notes: [isFile ? null : grepScope(request), ...complaintNotes(end.stderr), ...notes].filter((note) => note !== null),
    // Complaints about single files leave a summary behind; a bad pattern leaves none.
    fault: end.exitCode === 2 && filesSearched === null && !end.timedOut ? end.stderr.trim() : null,
  };
}

interface ChosenFiles {
  readonly paths: ReadonlySet<string>;
  readonly fault: string | null;
  readonly isPartial: boolean;
}

/** The files that a glob chooses among those that are looked at. To rg a glob outranks ignore files, so both lists are needed. Source: rg(1), --glob */
async function filesChosen(request: GrepRequest): Promise<ChosenFiles> {
  const { path: cwd, timeoutMs, signal, includeIgnored } = request;
  const matching = new Set<string>();
  const run = { cwd, timeoutMs, signal };
  const scope = scopeArguments(includeIgnored);
  const end = await listFiles({ ...run, args: [...globArguments(request), ...scope, './'] }, (path) => matching.add(path));
  if (end.stderr.startsWith('rg: error parsing glob')) return { paths: matching, fault: end.stderr.trim(), isPartial: false };
  if (includeIgnored || matching.size === 0) return { paths: matching, fault: null, isPartial: end.timedOut };
  const chosen = new Set<string>();
  const { timedOut } = await listFiles({ ...run, args: [...scope, './'] }, (path) => {
    if (matching.has(path)) chosen.add(path);
  });
  return { paths: chosen, fault: null, isPartial: end.timedOut || timedOut };
}

function nothingChosen(request: GrepRequest, { fault, isPartial }: ChosenFiles): GrepOutcome {
  const notes = [grepScope(request)];
  return { files: [], totalMatches: 0, totalFiles: 0, filesSearched: 0, timedOut: isPartial, notes, fault };
}

function matchCollector(request: GrepRequest, accepts: (path: string) => boolean): MatchCollector {
  const { maxResults: maxMatches, contextLines } = request;
  return new MatchCollector({ maxMatches, contextLines, maxPerFile: MAX_PER_FILE, accepts });
}

function grepScope({ includeIgnored }: GrepRequest): string {
  return scopeNote(includeIgnored, ['binary files']);
}

function grepArguments(request: GrepRequest): string[] {
  return [
    ...(request.countsOnly === true
      ? ['--count', '--null', '--with-filename', '--stats']
      : ['--json', `--max-count=${MAX_PER_FILE}`]),
    ...(request.ignoreCase ? ['--ignore-case'] : []),
    ...(request.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(request.contextLines > 0 ? ['--context', String(request.contextLines)] : []),
    ...globArguments(request),
    ...scopeArguments(request.includeIgnored),
    // As a value of its own a pattern that starts with a dash is a pattern, never an option.
    `--regexp=${request.pattern}`,
  ];
}

function globArguments({ glob }: GrepRequest): string[] {
  return glob === null ? [] : [`--glob=${glob}`];
}
