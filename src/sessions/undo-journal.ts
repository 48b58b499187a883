import { join } from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { ToolUseBlock } from '../core/message.ts';
import type { EffectJournal, EffectScope } from '../core/ports.ts';
import { ContentStore } from '../host/effects/content-store.ts';
import { describeUncovered } from '../host/effects/coverage.ts';
import type { PathChange } from '../host/effects/entry-state.ts';
import { changesSince, type Observed, observePaths } from '../host/effects/observe-paths.ts';
import { openProjectTree, type ProjectTree, TreeTooLarge } from '../host/effects/project-tree.ts';
import { type RawPath, rawPath } from '../host/effects/raw-path.ts';
import { UndoLog } from './undo-log.ts';

export interface UndoJournalOptions {
  /** Real paths; the first is where the person is. */
  readonly roots: readonly string[];
  /** Folders of ours, real paths. */
  readonly excluded: readonly string[];
  /** Where contents of the files of this project are kept. */
  readonly folder: string;
  readonly logPath: string;
  /** Prompts that the session had before. */
  readonly pastTurns: number;
  /** Background commands that run or ran, as a person knows them. */
  jobs(): readonly { readonly command: string; readonly state: string }[];
}

/** A call that has started: paths that it names, or all of the workspace. */
interface OpenCall {
  readonly call: ToolUseBlock;
  readonly onBehalfOf?: string;
  readonly observed: Observed | null;
}

const PROGRESS_FROM = 4000;

/** Sees what each call does to files, whatever the call is, and keeps what was there before. */
export class UndoJournal implements EffectJournal {
  readonly #options: UndoJournalOptions;
  readonly #log: UndoLog;
  readonly #open = new Map<string, OpenCall>();
  #store: ContentStore | null = null;
  /** Null before the first command, and where the workspace cannot be kept. */
  #tree: ProjectTree | null = null;
  #isTreeRefused = false;
  #turn: number;
  #hadJobs = false;
  #notify: EffectScope['notify'] = () => undefined;

  constructor(options: UndoJournalOptions) {
    this.#options = options;
    this.#log = new UndoLog(options.logPath);
    this.#turn = options.pastTurns;
  }

  /** A person gave a prompt. */
  startTurn(): void {
    this.#turn++;
  }

  /** What goes wrong here does not hold up a call: it is told that this one cannot be undone. */
  async started(call: ToolUseBlock, scope: EffectScope): Promise<void> {
    this.#notify = (text) => scope.notify(text);
    await this.#begin(call, scope).catch((thrown: unknown) => this.#tellFault(call, thrown));
  }

  async finished(call: ToolUseBlock): Promise<void> {
    await this.#end(call).catch((thrown: unknown) => this.#tellFault(call, thrown));
  }

  /** Keeps what background commands did last. */
  async close(): Promise<void> {
    if (this.#tree !== null) {
      await this.#lookBetween();
      this.#tree.save();
      this.#tree.close();
      this.#tree = null;
    }
    this.#store?.close();
    this.#store = null;
  }

  /** Lets an undo or a redo work between calls: what it changes is on record already. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    await this.#lookBetween();
    try {
      return await work();
    } finally {
      await this.#look();
    }
  }

  get log(): UndoLog {
    return this.#log;
  }

  /** The contents that undo works with. */
  get contents(): ContentStore {
    return this.#contents();
  }

  async #begin(call: ToolUseBlock, scope: EffectScope): Promise<void> {
    const { footprint, onBehalfOf } = scope;
    const opened = { call, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) };
    if (footprint.extent === 'listed') {
      const paths = footprint.writes.flatMap((resource) => (resource.kind === 'file' ? [rawPath(resource.path)] : []));
      if (paths.length > 0) this.#open.set(call.id, { ...opened, observed: this.#observe(paths) });
      return;
    }
    if (!footprint.writes || !(await this.#hasTree(scope))) return;
    await this.#lookBetween();
    this.#open.set(call.id, { ...opened, observed: null });
  }

  async #end(call: ToolUseBlock): Promise<void> {
    const open = this.#open.get(call.id);
    if (open === undefined) return;
    if (open.observed === null) this.#record(open, await this.#look());
    else {
      this.#record(open, changesSince(open.observed, this.#contents()));
      // What is recorded is not to be found again and taken for the work of a background command.
      if (this.#tree !== null) this.#recordJobs(await this.#look());
    }
    this.#open.delete(call.id);
  }

  #contents(): ContentStore {
    return (this.#store ??= new ContentStore(join(this.#options.folder, 'contents')));
  }

  #tellFault(call: ToolUseBlock, thrown: unknown): void {
    this.#open.delete(call.id);
    this.#notify(`What ${call.name} does here cannot be undone: ${messageOf(thrown)}.`);
  }

  #observe(paths: readonly RawPath[]): Observed {
    const observed = observePaths(paths, this.#contents());
    this.#contents().flush();
    const left = [...observed].flatMap(([path, state]) => (state?.kind === 'uncovered' ? [{ path, why: state.why }] : []));
    if (left.length > 0) this.#notify(`This cannot be undone: ${describeUncovered(left, this.#root)}.`);
    return observed;
  }

  /** The first command waits until everything has been kept. */
  async #hasTree(scope: EffectScope): Promise<boolean> {
    if (this.#tree !== null || this.#isTreeRefused) return this.#tree !== null;
    try {
      this.#tree = await openProjectTree({
        roots: outermost(this.#options.roots.map(rawPath)),
        excluded: new Set(this.#options.excluded.map(rawPath)),
        folder: this.#options.folder,
        store: this.#contents(),
        signal: scope.signal,
        onProgress: (files) => this.#tellProgress(files, scope),
      });
      this.#notify(`Not covered by undo: ${this.#tree.describeCoverage()}.`);
    } catch (thrown) {
      // The call ends now too; the next one tries again.
      if (scope.signal.aborted) return false;
      this.#isTreeRefused = true;
      const why = thrown instanceof TreeTooLarge ? `this folder cannot be kept, since ${thrown.message}` : messageOf(thrown);
      this.#notify(`What commands do cannot be undone here: ${why}. Edits by the file tools can.`);
    }
    return this.#tree !== null;
  }

  #tellProgress(files: number, scope: EffectScope): void {
    if (files === PROGRESS_FROM)
      scope.notify('Keeping the files as they are before the first command; in a large folder that takes seconds.');
    if (files >= PROGRESS_FROM) scope.progress(`kept ${files} files so far\n`);
  }

  get #root(): RawPath {
    return rawPath(this.#options.roots[0] ?? '/');
  }

  async #look(): Promise<readonly PathChange[]> {
    return (await this.#tree?.look())?.changes ?? [];
  }

  /** What happened while no call ran is of one that broke off, of background commands, or of nobody that we know. */
  async #lookBetween(): Promise<void> {
    const changes = await this.#look();
    const brokenOff = [...this.#open.values()];
    this.#open.clear();
    for (const open of brokenOff)
      this.#record(open, open.observed === null ? changes : changesSince(open.observed, this.#contents()));
    if (brokenOff.length === 0) this.#recordJobs(changes);
  }

  #recordJobs(changes: readonly PathChange[]): void {
    const jobs = this.#options.jobs();
    const running = jobs.filter(({ state }) => state === 'running');
    const wasRunning = this.#hadJobs;
    this.#hadJobs = running.length > 0;
    if (running.length === 0 && !wasRunning) return;
    const own = new Set([...this.#open.values()].flatMap(({ observed }) => [...(observed?.keys() ?? [])]));
    const others = changes.filter(({ path }) => !own.has(path));
    const by = `in the background: ${(running.length > 0 ? running : jobs).map(({ command }) => command).join('; ')}`;
    if (others.length > 0) this.#log.append({ type: 'effect', turn: this.#turn, toolUseId: null, by, changes: others });
  }

  #record({ call, onBehalfOf }: OpenCall, changes: readonly PathChange[]): void {
    this.#hadJobs = this.#options.jobs().some(({ state }) => state === 'running');
    if (changes.length === 0) return;
    this.#contents().flush();
    const of = { toolUseId: call.id, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) };
    this.#log.append({ type: 'effect', turn: this.#turn, ...of, by: subjectOf(call), changes });
  }
}

/** The tool, and the words of its input that a person would know it by. */
function subjectOf({ name, input }: ToolUseBlock): string {
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const subject = ['command', 'path', 'file_path', 'url'].map((key) => fields[key]).find((value) => typeof value === 'string');
  return subject === undefined ? name : `${name} ${subject}`;
}

/** A root in another one is looked at with that. */
function outermost(roots: readonly RawPath[]): RawPath[] {
  return [...new Set(roots)].filter(
    (root) => !roots.some((other) => other !== root && root.startsWith(other === '/' ? '/' : `${other}/`)),
  );
}
