import { expect, test } from 'vitest';
import { EventLines } from './event-lines.ts';

const PLACE = { seq: 1, turn: 1, agentId: 'main' };

test.each([
  ['model', 4, 'a summary by the model, with the last 4 messages as they are'],
  ['record', 0, "a summary from the session's record"],
] as const)('a compaction by the %s is one line', (by, keptMessages, words) => {
  const event = { ...PLACE, type: 'compacted', reason: 'too\nlong', summary: 'What was.', keptMessages, by } as const;
  expect(new EventLines().accept(event)).toEqual([`* the conversation was compacted (too ⏎ long): it goes on from ${words}`]);
});
