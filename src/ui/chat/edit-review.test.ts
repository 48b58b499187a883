import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, decideRest, reviewedInput, reviewOf } from './edit-review.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', ' x'), { maxLength: 12 });
const text = fc.tuple(lines, fc.boolean()).map(([rows, ends]) => rows.join('\n') + (ends ? '\n' : ''));

test('all changes taken are the edit, and none is a denial; whatever is taken of them, the rest is as it was', () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (before, after, picks) => {
      const input = { path: '/p', old_string: before, new_string: after };
      const review = reviewOf(input, null);
      if (review === null) return;
      expect(reviewedInput(decideRest(review, 'taken'), input)).toEqual(input);
      expect(reviewedInput(decideRest(review, 'left'), input)).toBeNull();
      const chosen = { ...review, verdicts: review.changes.map((_, i) => (picks[i] === true ? ('taken' as const) : null)) };
      const opposite = { ...review, verdicts: review.changes.map((_, i) => (picks[i] === true ? null : ('taken' as const))) };
      const size = (one: typeof review) => {
        const edited = reviewedInput(one, input) as { new_string: string } | null;
        return (edited?.new_string ?? before).length;
      };
      // Each change is in one of the two, so together they change as much as the edit does.
      expect(size(chosen) + size(opposite)).toBe(before.length + after.length);
    }),
    { numRuns: 300 },
  );
});

test('a file that is written over is gone through against what it holds; a new file, one change, and no edit are not', () => {
  const review = reviewOf({ path: '/p', content: 'A\nb\nC\n' }, 'a\nb\nc\n');
  expect(review?.changes).toHaveLength(2);
  if (review === null) return;
  const taken = decide(decide(review, 'left'), 'taken');
  expect(reviewedInput(taken, { path: '/p', content: 'A\nb\nC\n' })).toEqual({ path: '/p', content: 'a\nb\nC\n' });
  expect(reviewOf({ path: '/p', content: 'A\n' }, null)).toBeNull();
  expect(reviewOf({ path: '/p', old_string: 'a\nb', new_string: 'A\nb' }, null)).toBeNull();
  expect(reviewOf({ command: 'ls' }, null)).toBeNull();
});
