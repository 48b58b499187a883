import type { GrepFile, GrepOutcome, GrepRequest } from '../../core/ports.ts';
import { binaryNote } from './match-collector.ts';
import type { PlainEvent, SkipReason } from './plain-thread.ts';

/** Files come sorted by path, so that the first that are enough are kept. */
export class FoundFiles {
  readonly #countsOnly: boolean;
  readonly #maxResults: number;
  readonly #kept: GrepFile[] = [];
  #keptMatches = 0;
  #totalMatches = 0;
  #totalFiles = 0;
  #fault: string | null = null;

  constructor({ countsOnly = false, maxResults }: Pick<GrepRequest, 'countsOnly' | 'maxResults'>) {
    this.#countsOnly = countsOnly;
    this.#maxResults = maxResults;
  }

  take(event: PlainEvent): void {
    if (event.type === 'fault') this.#fault = event.fault;
    if (event.type !== 'match') return;
    const { file } = event;
    if ((this.#countsOnly ? this.#kept.length : this.#keptMatches) < this.#maxResults) {
      this.#kept.push(file);
      this.#keptMatches += file.matches;
    }
    this.#totalMatches += file.matches;
    this.#totalFiles++;
  }

  outcome(): Pick<GrepOutcome, 'files' | 'totalMatches' | 'totalFiles' | 'fault'> {
    return { files: this.#kept, totalMatches: this.#totalMatches, totalFiles: this.#totalFiles, fault: this.#fault };
  }
}

/** What was left out, to be said in notes. */
export class SkippedFiles {
  readonly #paths: Record<SkipReason, string[]> = { unreadable: [], binary: [], 'too large': [], 'too complex': [] };

  take(event: PlainEvent): void {
    if (event.type === 'skipped') this.#paths[event.reason].push(event.path);
  }

  notes(): string[] {
    return [
      skippedNote('not readable', this.#paths.unreadable),
      binaryNote(this.#paths.binary.length),
      skippedNote('larger than 256 MB', this.#paths['too large']),
      skippedNote('too much for this pattern without ripgrep', this.#paths['too complex']),
    ].filter((note) => note !== null);
  }
}

function skippedNote(why: string, paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : '';
  return `Skipped, ${why}: ${paths.slice(0, 3).join(', ')}${more}.`;
}
