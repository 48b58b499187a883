import { footprintsConflict, type ResolvedFootprint } from '../core/footprint.ts';

/** What a call touches, and whether it may run beside anything at all. */
export interface Access {
  readonly footprint: ResolvedFootprint;
  readonly isAlone: boolean;
}

/** A call's place in the order. */
export interface Slot {
  /** Resolves when nothing earlier that conflicts still runs or waits; true where it had to wait. */
  turn(): Promise<boolean>;
  /** The call will touch something else than was said; ask for `turn` again. */
  change(access: Access): void;
  finish(): void;
}

interface Entry {
  access: Access;
  readonly done: Promise<void>;
}

/**
 * The order of calls of one message. Calls enter in call order; each waits for the earlier ones that conflict with it, whether they
 * run or wait themselves. Conflict is symmetric, so nothing later can be in the way.
 */
export class Schedule {
  #unfinished: readonly Entry[] = [];

  enter(access: Access): Slot {
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const entry: Entry = { access, done };
    const earlier = this.#unfinished;
    this.#unfinished = [...earlier, entry];
    return {
      turn: async () => {
        const inTheWay = earlier.filter((other) => conflict(entry.access, other.access));
        await Promise.all(inTheWay.map((other) => other.done));
        return inTheWay.length > 0;
      },
      change: (next) => {
        entry.access = next;
      },
      finish: () => {
        this.#unfinished = this.#unfinished.filter((other) => other !== entry);
        finish();
      },
    };
  }
}

function conflict(a: Access, b: Access): boolean {
  return a.isAlone || b.isAlone || footprintsConflict(a.footprint, b.footprint);
}
