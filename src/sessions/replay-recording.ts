import type { JsonObject } from '../core/json-value.ts';
import type { StartState } from './start-state.ts';
import type { EffectRecord } from './undo-record.ts';

/** All that a replay needs of a session, from its files or from a test made of them. */
export interface Recording {
  readonly id: string;
  /** What holds of it: a branch that a rewind left is not played. */
  readonly records: readonly (JsonObject | null)[];
  /** The numbers of the prompts that were rewound. */
  readonly rewound: readonly number[];
  /** In order; none where the session is older than they are. */
  readonly starts: readonly StartState[];
  readonly effects: readonly EffectRecord[];
  /** A content of a file, or null where it is not kept any more. */
  contentOf(hash: string): Uint8Array | null;
}
