import type { Entry } from './session-document.ts';

/** Entries that follow each other and all hold, or were all left behind by a rewind. */
export interface Part {
  readonly isRewound: boolean;
  readonly entries: readonly Entry[];
}

/** The transcript in parts. An entry goes with the prompt, or the mark of a rewind or a fork, that it stands behind. */
export function partsOf(entries: readonly Entry[]): readonly Part[] {
  const parts: { readonly isRewound: boolean; readonly entries: Entry[] }[] = [];
  let isRewound = false;
  for (const entry of entries) {
    if (entry.type === 'prompt' || entry.type === 'rewound') isRewound = entry.isRewound;
    if (entry.type === 'forked') isRewound = false;
    const last = parts.at(-1);
    if (last?.isRewound === isRewound) last.entries.push(entry);
    else parts.push({ isRewound, entries: [entry] });
  }
  return parts;
}

/** What stands on the fold of a part that was left behind. */
export function leftWords({ entries }: Part): string {
  const numbers = entries.flatMap((entry) => (entry.type === 'prompt' ? [entry.number] : []));
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return 'Left behind by a rewind';
  return `Left behind by a rewind: ${first === last ? `prompt ${first}` : `prompts ${first} to ${last}`}`;
}
