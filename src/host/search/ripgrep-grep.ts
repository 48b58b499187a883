import { closeSync, constants, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { GrepOutcome, GrepRequest } from '../../core/ports.ts';
import { CountCollector } from './count-collector.ts';
import { type FoundMatches, MatchCollector, PRINTED_ARGUMENTS } from './match-collector.ts';
import { type RipgrepEnd, searchWithRipgrep } from './ripgrep.ts';
import { listFiles } from './ripgrep-find.ts';
import { complaintNotes, oddNamesNote, otherEncodingsNote, scopeArguments, scopeNote } from './search-scope.ts';
import { isBinary, SNIFF_BYTES } from '../text/text-file.ts';

// rg keeps what it prints of a file until it is through with it, so a log of gigabytes must not be printed whole.
const MAX_PER_FILE = 10_000;
// That go on one command line.
const MAX_PATHS = 500;

/** What a pattern finds. Errors: throws NoRipgrep, and on an abort. */
export async function grepWithRipgrep(request: GrepRequest, program: string): Promise<GrepOutcome> {
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
    notes: [
      isFile ? null : grepScope(request),
      ...complaintNotes(end.stderr),
      ...notes,
      oddNamesNote(matches.files.map(({ path }) => path)),
      otherEncodingsNote(request.pattern),
    ].filter((note) => note !== null),
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
    // Told to look for NULs, rg would count each as the end of a line.
    const end = await search([...grepArguments(request, '--text'), '--', ...targets], counts);
    return { end, found: counts.finish() };
  }
  // With context rg forgets to name a file with a NUL whose match comes behind it, so then all are read as text and looked at one by one.
  const takesAllForText = contextLines > 0;
  const options = { maxMatches: maxResults, contextLines, maxPerFile: MAX_PER_FILE, accepts, isText, takesAllForText };
  const matches = new MatchCollector(options);
  const end = await search([...grepArguments(request, takesAllForText ? '--text' : '--binary'), '--', ...targets], matches);
  const again = matches.endSearch();
  let { stoppedBy } = end;
  for (let at = 0; at < again.length && stoppedBy === null; at += MAX_PATHS) {
    const paths = again.slice(at, at + MAX_PATHS).map((path) => `./${path}`);
    ({ stoppedBy } = await search([...grepArguments(request, '--text'), '--', ...paths], matches));
    matches.endSearch();
  }
  return { end: { ...end, stoppedBy }, found: matches.finish() };
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
    // Gone meanwhile, or a name that is no UTF-8 and so cannot be opened by what is known of it.
    return path.includes('\ufffd');
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
  // In the first place a # would make it a comment.
  return glob === null ? [] : [`--glob=${glob.replace(/^#/, '\\#')}`];
}
