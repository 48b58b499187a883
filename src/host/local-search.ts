import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FindOutcome, FindRequest, GrepOutcome, GrepRequest, SearchAccess } from '../core/ports.ts';
import { MatchCollector } from './match-collector.ts';
import { runRipgrep } from './ripgrep.ts';
import { scopeArguments, scopeNote, unreadableNote } from './search-scope.ts';

const FIND_TIMEOUT_MS = 20_000;

/** The search of this machine, on ripgrep. */
export function createLocalSearch(): SearchAccess {
  return { find, grep };
}

async function find(request: FindRequest): Promise<FindOutcome> {
  const accepted: string[] = [];
  const paths = new NulSplitter((path) => {
    const relative = path.startsWith('./') ? path.slice(2) : path;
    if (request.accepts(relative)) accepted.push(relative);
  });
  const end = await runRipgrep({
    args: ['--files', '--null', ...scopeArguments(request.includeIgnored), './'],
    cwd: request.root,
    timeoutMs: FIND_TIMEOUT_MS,
    signal: request.signal,
    onOutput: (bytes) => paths.add(bytes),
  });
  request.signal.throwIfAborted();
  const notes = [
    scopeNote(request.includeIgnored),
    unreadableNote(end.stderr),
    end.timedOut ? 'Stopped after 20 s: this list is partial.' : null,
  ].filter((note) => note !== null);
  return { files: newestFirst(request.root, accepted).slice(0, request.maxResults), total: accepted.length, notes };
}

/** A file that vanished in between sorts last. */
function newestFirst(root: string, paths: readonly string[]): string[] {
  const dated = paths.map((path) => ({ path, mtimeMs: statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return dated.map(({ path }) => path);
}

class NulSplitter {
  readonly #onItem: (item: string) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onItem: (item: string) => void) {
    this.#onItem = onItem;
  }

  add(bytes: Uint8Array): true {
    const all = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    let start = 0;
    for (let end = all.indexOf(0); end !== -1; end = all.indexOf(0, start)) {
      this.#onItem(all.toString('utf8', start, end));
      start = end + 1;
    }
    this.#rest = all.subarray(start);
    return true;
  }
}

async function grep(request: GrepRequest): Promise<GrepOutcome> {
  const isFile = (await stat(request.path)).isFile();
  const matches = new MatchCollector(request.maxResults);
  const end = await runRipgrep({
    args: [...grepArguments(request), '--', isFile ? basename(request.path) : './'],
    cwd: isFile ? dirname(request.path) : request.path,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    onOutput: (bytes) => matches.add(bytes),
  });
  request.signal.throwIfAborted();
  const found = matches.finish();
  const notes = [isFile ? null : scopeNote(request.includeIgnored), unreadableNote(end.stderr), found.binaryNote].filter(
    (note) => note !== null,
  );
  // Complaints about single files leave a summary behind; a bad pattern leaves none.
  const fault = end.exitCode === 2 && !found.hasSummary && !end.timedOut ? end.stderr.trim() : null;
  return { ...found, timedOut: end.timedOut, notes, fault };
}

function grepArguments(request: GrepRequest): string[] {
  return [
    '--json',
    ...(request.ignoreCase ? ['--ignore-case'] : []),
    ...(request.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(request.contextLines > 0 ? ['--context', String(request.contextLines)] : []),
    ...(request.glob === null ? [] : [`--glob=${request.glob}`]),
    ...scopeArguments(request.includeIgnored),
    // As a value of its own a pattern that starts with a dash is a pattern, never an option.
    `--regexp=${request.pattern}`,
  ];
}
