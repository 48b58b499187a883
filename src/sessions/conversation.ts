import type { JsonObject } from '../core/json-value.ts';

/** The records of a session that hold. A rewind takes out what came after a turn; the file keeps it. */
export interface Conversation {
  readonly records: readonly JsonObject[];
  /** The numbers of the turns that hold, in order. */
  readonly turns: readonly number[];
  /** The number of the last prompt, rewound or not. */
  readonly turnCount: number;
}

/** A record and those that hold before it: with rewinds the file is a tree, and a conversation one way through it. */
interface Step {
  readonly record: JsonObject;
  readonly turn: number;
  readonly before: Step | null;
}

/** Finds what holds. A damaged record is left out; turns keep their numbers all the same, since each prompt carries its own. */
export function conversationOf(all: readonly (JsonObject | null)[]): Conversation {
  const ends = new Map<number, Step | null>([[0, null]]);
  const turns = turnNumbers(all);
  let last: Step | null = null;
  for (const [i, record] of all.entries()) {
    const turn = turns[i] ?? 0;
    if (record?.['type'] === 'rewound') last = ends.get(turn) ?? last;
    else if (record !== null) {
      last = { record, turn, before: last };
      ends.set(turn, last);
    }
  }
  const steps = stepsTo(last);
  return {
    records: steps.map(({ record }) => record),
    turns: steps.filter(({ record }) => record['type'] === 'run_start').map((step) => step.turn),
    turnCount: turns.reduce((highest, turn) => Math.max(highest, turn), 0),
  };
}

/** The turn that each record belongs to, by its number; 0 before the first prompt. */
export function turnNumbers(all: readonly (JsonObject | null)[]): readonly number[] {
  let turn = 0;
  let turnCount = 0;
  return all.map((record) => {
    // Its shape was checked when the line was parsed.
    if (record?.['type'] === 'rewound') turn = record['toTurn'] as number;
    if (record?.['type'] === 'run_start') {
      turn = numberOf(record, turnCount + 1);
      turnCount = Math.max(turnCount, turn);
    }
    return turn;
  });
}

/** The numbers of all prompts, rewound or not. */
export function promptNumbers(all: readonly (JsonObject | null)[]): readonly number[] {
  const turns = turnNumbers(all);
  return turns.filter((_turn, i) => all[i]?.['type'] === 'run_start');
}

/** Sessions of before 2026-12 do not number their prompts. */
function numberOf({ prompt }: JsonObject, next: number): number {
  return typeof prompt === 'number' ? prompt : next;
}

function stepsTo(last: Step | null): Step[] {
  const steps: Step[] = [];
  for (let step = last; step !== null; step = step.before) steps.push(step);
  return steps.toReversed();
}
