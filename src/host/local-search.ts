import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FindOutcome, FindRequest, GrepOutcome, GrepRequest, SearchAccess } from '../core/ports.ts';
import { ByteSplitter } from './byte-splitter.ts';
import { CountCollector } from './count-collector.ts';
import { type FoundMatches, MatchCollector, PRINTED_ARGUMENTS } from './match-collector.ts';
import { listWithRipgrep, NoRipgrep, type RipgrepEnd, ripgrepPath, searchWithRipgrep } from './ripgrep.ts';
import { ownPath } from './ripgrep-words.ts';
import { complaintNotes, scopeArguments, scopeNote, startFolder } from './search-scope.ts';
import { isBinary, SNIFF_BYTES } from './text-file.ts';

const FIND_TIMEOUT_MS = 20_000;
const STOPPED = { deadline: 'after 20 s', flood: 'at 512 MB of names' };
const MAX_PATH_BYTES = 64 * 1024;
// rg keeps what it prints of a file until it is through with it, so a log of gigabytes must not be printed whole.
const MAX_PER_FILE = 10_000;
// Their paths go on one command line.
const MAX_SEARCHED_AGAIN = 500;

/** The search of this machine: on ripgrep (by default the one that came with the package), and without it where none can be started. */
export function createLocalSearch(ripgrep: string | null = null): SearchAccess {
  let fallback: { readonly search: SearchAccess; readonly note: string } | null = null;

  async function answer<T extends { readonly notes: readonly string[] }>(
    withRipgrep: (program: string) => Promise<T>,
    without: (search: SearchAccess) => Promise<T>,
  ): Promise<T> {
    try {
      if (fallback === null) return await withRipgrep(ripgrep ?? ripgrepPath());
    } catch (thrown) {
      if (!(thrown instanceof NoRipgrep)) throw thrown;
      const { createPlainSearch } = await import('./plain-search.ts');
      const note = `ripgrep could not be started here (${thrown.reason}), so this was searched without it, which is slower.`;
      fallback = { search: createPlainSearch(), note };
    }
    const outcome = await without(fallback.search);
    return { ...outcome, notes: [...outcome.notes, fallback.note] };
  }

  return {
    find: (request) =>
      answer(
        (program) => find(request, program),
        (search) => search.find(request),
      ),
    grep: (request) =>
      answer(
        (program) => grep(request, program),
        (search) => search.grep(request),
      ),
  };
}

async function find(request: FindRequest, program: string): Promise<FindOutcome> {
  const { root, includeIgnored, signal } = request;
  const accepted: DatedPath[] = [];
  const start = await startFolder(root, request.below ?? '', includeIgnored);
  const end = await listFiles(
    { program, cwd: root, args: [...scopeArguments(includeIgnored), start], timeoutMs: FIND_TIMEOUT_MS, signal },
    (path) => {
      if (request.accepts(path)) accepted.push({ path, mtimeMs: mtimeOf(`${root}/${path}`) });
    },
  );
  const notes = [
    scopeNote(includeIgnored),
    ...complaintNotes(end.stderr),
    end.stoppedBy === null ? null : `Stopped ${STOPPED[end.stoppedBy]}: this list is partial.`,
  ].filter((note) => note !== null);
  accepted.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return { files: accepted.slice(0, request.maxResults).map(({ path }) => path), total: accepted.length, notes };
}

interface DatedPath {
  readonly path: string;
  readonly mtimeMs: number;
}

/** A file that vanished in between sorts last. */
function mtimeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

interface Listing {
  readonly program: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function listFiles({ args, ...run }: Listing, onPath: (path: string) => void): Promise<RipgrepEnd> {
  const paths = new ByteSplitter(0, (bytes, start, end) => onPath(ownPath(bytes.toString('utf8', start, end))), MAX_PATH_BYTES);
  return listWithRipgrep({ ...run, args, onOutput: (bytes) => paths.add(bytes) });
}

async function grep(request: GrepRequest, program: string): Promise<GrepOutcome> {
  const isFile = (await stat(request.path)).isFile();
  const chosen = isFile || request.glob === null ? null : await filesChosen(request, program);
  if (chosen !== null && chosen.paths.size === 0) return nothingChosen(request, chosen);
  const place: Place = isFile
    ? { program, cwd: dirname(request.path), targets: [`./${basename(request.path)}`] }
    : { program, cwd: request.path, targets: ['./'] };
  const { end, found } = await collectMatches(request, place, (path) => chosen === null || chosen.paths.has(path));
  const { filesSearched, notes, ...matches } = found;
  return {
    ...matches,
    filesSearched: chosen?.paths.size ?? filesSearched ?? 0,
    stoppedBy: end.stoppedBy ?? chosen?.stoppedBy ?? null,
    notes: [isFile ? null : grepScope(request), ...complaintNotes(end.stderr), ...notes].filter((note) => note !== null),
    // Complaints about single files leave a summary behind; a bad pattern leaves none.
    fault: end.exitCode === 2 && filesSearched === null && end.stoppedBy === null ? end.stderr.trim() : null,
  };
}

/** Which rg starts, from where, and what it is to search. */
interface Place {
  readonly program: string;
  readonly cwd: string;
  readonly targets: readonly string[];
}

async function collectMatches(
  request: GrepRequest,
  { program, cwd, targets }: Place,
  accepts: (path: string) => boolean,
): Promise<{ end: RipgrepEnd; found: FoundMatches }> {
  const { maxResults, contextLines, timeoutMs, signal } = request;
  const isText = (path: string): boolean => hasTextHead(join(cwd, path));
  const search = (args: readonly string[], collector: MatchCollector | CountCollector): Promise<RipgrepEnd> =>
    searchWithRipgrep({ program, args, cwd, timeoutMs, signal, onOutput: (bytes) => collector.add(bytes) });
  if (request.countsOnly === true) {
    const counts = new CountCollector({ maxFiles: maxResults, accepts, isText });
    const end = await search([...grepArguments(request, '--binary'), '--', ...targets], counts);
    return { end, found: counts.finish() };
  }
  const matches = new MatchCollector({ maxMatches: maxResults, contextLines, maxPerFile: MAX_PER_FILE, accepts, isText });
  const end = await search([...grepArguments(request, '--binary'), '--', ...targets], matches);
  const again = matches.endSearch().slice(0, MAX_SEARCHED_AGAIN);
  if (again.length > 0) {
    await search([...grepArguments(request, '--text'), '--', ...again.map((path) => `./${path}`)], matches);
    matches.endSearch();
  }
  return { end, found: matches.finish() };
}

/** Where the start of a file has no NUL, it is text to ReadFile, and so it is here. */
function hasTextHead(path: string): boolean {
  const head = Buffer.alloc(SNIFF_BYTES);
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return !isBinary(head.subarray(0, readSync(fd, head)));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Gone meanwhile.
    return false;
  }
}

interface ChosenFiles {
  readonly paths: ReadonlySet<string>;
  readonly fault: string | null;
  readonly stoppedBy: RipgrepEnd['stoppedBy'];
}

/** The files that a glob chooses among those that are looked at. To rg a glob outranks ignore files, so both lists are needed. Source: rg(1), --glob */
async function filesChosen(request: GrepRequest, program: string): Promise<ChosenFiles> {
  const { path: cwd, timeoutMs, signal, includeIgnored } = request;
  const matching = new Set<string>();
  const run = { program, cwd, timeoutMs, signal };
  const scope = scopeArguments(includeIgnored);
  const end = await listFiles({ ...run, args: [...globArguments(request), ...scope, './'] }, (path) => matching.add(path));
  if (end.stderr.startsWith('rg: error parsing glob')) return { paths: matching, fault: end.stderr.trim(), stoppedBy: null };
  if (includeIgnored || matching.size === 0) return { paths: matching, fault: null, stoppedBy: end.stoppedBy };
  const chosen = new Set<string>();
  const { stoppedBy } = await listFiles({ ...run, args: [...scope, './'] }, (path) => {
    if (matching.has(path)) chosen.add(path);
  });
  return { paths: chosen, fault: null, stoppedBy: end.stoppedBy ?? stoppedBy };
}

function nothingChosen(request: GrepRequest, { fault, stoppedBy }: ChosenFiles): GrepOutcome {
  const notes = [grepScope(request)];
  return { files: [], totalMatches: 0, totalFiles: 0, filesSearched: 0, stoppedBy, notes, fault };
}

function grepScope({ includeIgnored }: GrepRequest): string {
  return scopeNote(includeIgnored, ['binary files']);
}

function grepArguments(request: GrepRequest, binaries: '--binary' | '--text'): string[] {
  return [
    binaries,
    // `$` stands before CRLF as well as before LF.
    '--crlf',
    ...(request.countsOnly === true
      ? ['--count', '--null', '--with-filename', '--stats']
      : [...PRINTED_ARGUMENTS, `--max-count=${MAX_PER_FILE}`]),
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
