import { type FSWatcher, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCodeOf } from '../../core/errors.ts';
import { randomName } from '../random-name.ts';
import { joinRaw, type RawPath, rawPath, systemPath } from './raw-path.ts';

/** What became of a name in a folder: written or changed in its mode, or made, removed or moved. */
export type Touch = 'changed' | 'replaced';

/** What was touched since the last time; or why that is not known, so that everything has to be looked at. */
export type Heard = { readonly touched: ReadonlyMap<RawPath, Touch> } | { readonly unheard: string };

const BARRIER_MS = 1000;
const USUAL_QUEUE_LENGTH = 16_384;

/**
 * Tells what is touched in folders, each watched by itself. Linux only: elsewhere, and where the system gives no more watches, it says so.
 * The kernel drops events when its queue is full, and node tells nobody. But all that stood in a full queue still comes. So while fewer
 * events have come than a queue holds, none was lost. Source: inotify(7), max_queued_events.
 */
export class FolderWatch {
  readonly #barrier: Barrier;
  readonly #watchers = new Map<RawPath, FSWatcher>();
  readonly #maxEvents: number;
  #touched = new Map<RawPath, Touch>();
  #events = 0;
  #hasLost = false;
  #unheard: string | null = null;

  /** `folder` is for files of its own. `maxEvents` is how many events leave no doubt. */
  constructor(folder: string, maxEvents = queueLength() / 2) {
    this.#maxEvents = maxEvents;
    this.#barrier = new Barrier(folder);
    if (process.platform !== 'linux') this.#unheard = `${process.platform} tells of single files in its own way`;
  }

  /** Watches a folder from now on. One that was watched by this name may have been another, so it is watched anew. */
  watch(folder: RawPath): void {
    this.unwatch(folder);
    if (this.#unheard !== null) return;
    try {
      const watcher = watch(systemPath(folder), { persistent: false, encoding: 'latin1' });
      watcher.on('change', (event, name) => this.#note(folder, event === 'change' ? 'changed' : 'replaced', String(name)));
      watcher.on('error', () => {
        this.#hasLost = true;
      });
      this.#watchers.set(folder, watcher);
    } catch (thrown) {
      const code = systemCodeOf(thrown);
      if (code === 'ENOSPC' || code === 'EMFILE')
        this.#giveUp('the system watches no more folders (fs.inotify.max_user_watches)');
    }
  }

  unwatch(folder: RawPath): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** All that was touched until now, and since the last time it was asked. */
  async hear(): Promise<Heard> {
    const hasAll = this.#unheard === null && (await this.#barrier.reached());
    const touched = this.#touched;
    const events = this.#events;
    const hasLost = this.#hasLost;
    this.#touched = new Map();
    this.#events = 0;
    this.#hasLost = false;
    if (this.#unheard !== null) return { unheard: this.#unheard };
    if (!hasAll) return { unheard: 'the system did not answer in time' };
    if (hasLost) return { unheard: 'a watch broke off' };
    return events < this.#maxEvents ? { touched } : { unheard: `${events} changes at once` };
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#barrier.close();
  }

  #note(folder: RawPath, touch: Touch, name: string): void {
    this.#events++;
    const path = joinRaw(folder, name);
    if (touch === 'replaced' || !this.#touched.has(path)) this.#touched.set(path, touch);
  }

  #giveUp(why: string): void {
    this.#unheard = why;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

/** A file of ours: all watches of a process share one queue, so when its event has come, so have all from before. */
class Barrier {
  readonly #folder: string;
  #watcher: FSWatcher | null = null;
  #count = 0;
  #waiting: { readonly name: string; reached(): void } | null = null;

  constructor(parent: string) {
    this.#folder = join(parent, `barrier-${randomName()}`);
  }

  /** False where the event did not come. */
  async reached(): Promise<boolean> {
    try {
      this.#watcher ??= this.#start();
    } catch {
      return false;
    }
    const name = String(this.#count++);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting = { name, reached: () => resolve(true) };
    const late = setTimeout(() => resolve(false), BARRIER_MS);
    const path = join(this.#folder, name);
    try {
      writeFileSync(path, '', { mode: 0o600 });
      return await promise;
    } catch {
      return false;
    } finally {
      clearTimeout(late);
      rmSync(path, { force: true });
    }
  }

  close(): void {
    this.#watcher?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #start(): FSWatcher {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const watcher = watch(systemPath(rawPath(this.#folder)), { persistent: false });
    watcher.on('change', (_event, name) => {
      if (name === this.#waiting?.name) this.#waiting.reached();
    });
    watcher.on('error', () => undefined);
    return watcher;
  }
}

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || USUAL_QUEUE_LENGTH;
  } catch {
    return USUAL_QUEUE_LENGTH;
  }
}
