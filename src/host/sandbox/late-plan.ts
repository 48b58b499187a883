import { ftruncateSync, writeSync } from 'node:fs';
import type { Confinement } from '../../core/permission.ts';
import type { LateFile } from '../process/output-pipe.ts';
import { ScratchFile } from '../search/scratch-file.ts';
import { type CommandMounts, commandMounts, type OwnPlaces } from './command-mounts.ts';
import { isVisible, type Mount, renderMount, sealHidden } from './mount-plan.ts';
import { watchForPlanted } from './planted.ts';
import type { SandboxPlace } from './sandbox.ts';

/** Files for plans. They have no name, so that no command can change them; one that is done with serves the next command. */
export class PlanFiles {
  readonly #free: ScratchFile[] = [];

  take(): ScratchFile {
    return this.#free.pop() ?? new ScratchFile();
  }

  giveBack(file: ScratchFile): void {
    ftruncateSync(file.fd);
    this.#free.push(file);
  }

  close(): void {
    for (const file of this.#free.splice(0)) file.close();
  }
}

/** The mounts of one command, planned while the shell that starts bwrap starts itself: that takes about 200 looks at files. */
export class LatePlan implements LateFile {
  readonly path: string;
  readonly #place: SandboxPlace;
  readonly #files: PlanFiles;
  readonly #file: ScratchFile;
  readonly #plan: () => CommandMounts;
  #command: CommandMounts | null = null;
  #look: (() => readonly string[]) | null = null;

  constructor(place: SandboxPlace, own: OwnPlaces, confinement: Confinement, files: PlanFiles) {
    this.#place = place;
    this.#files = files;
    this.#file = files.take();
    this.path = `/proc/${process.pid}/fd/${this.#file.fd}`;
    this.#plan = () => commandMounts(place, own, confinement);
  }

  get command(): CommandMounts {
    this.#command ??= this.#plan();
    return this.#command;
  }

  /** As bwrap reads its words from a file: each ends with a NUL. */
  write(): void {
    const { command } = this;
    this.#look = watchForPlanted({ ...command, home: this.#place.home });
    const words = Buffer.from(mountArguments(this.#place, command.mounts).join('\0').concat('\0'));
    // The rest of a plan would be a sandbox with holes.
    if (writeSync(this.#file.fd, words, 0, words.length, 0) < words.length)
      throw new Error('the plan of the sandbox could not be written whole: the disk is full');
  }

  /** What the command made that runs later on its own; nothing where it was never started. */
  planted(): readonly string[] {
    return this.#look?.() ?? [];
  }

  close(): void {
    this.#files.giveBack(this.#file);
  }
}

// To root the kernel's own settings in /proc/sys stay writable, by user id alone and without any capability: core_pattern is a program
// that the kernel runs outside. bwrap covers its neighbours but not this one.
const BASE = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', '/proc/sys', '/proc/sys'];

function mountArguments({ home }: SandboxPlace, mounts: readonly Mount[]): string[] {
  const ownHome = isVisible(home, mounts) ? [] : ['--dir', home];
  return [...BASE, ...mounts.flatMap(renderMount), ...ownHome, ...sealHidden(mounts)];
}
