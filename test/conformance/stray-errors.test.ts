import { expect, test } from 'vitest';
import { sheltered } from '../../src/conformance/stray-errors.ts';
import { wrongArguments } from '../../src/evaluation/match-arguments.ts';

/** Vitest listens for the same events; while a case runs here, nobody else is to hear them. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const others = events.map((event) => ({ event, listeners: process.listeners(event as 'uncaughtException') }));
  for (const { event } of others) process.removeAllListeners(event);
  try {
    return await work();
  } finally {
    for (const { event, listeners } of others)
      for (const listener of listeners) process.on(event as 'uncaughtException', listener);
  }
}

const later = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));

test('what a tool throws in a timer or in a promise that nobody waits for is a finding', async () => {
  const { value, stray } = await alone(() =>
    sheltered(async () => {
      setTimeout(() => {
        throw new Error('late');
      }, 1);
      void Promise.reject(new Error('alone'));
      await later();
      return 'done';
    }),
  );
  expect(value).toBe('done');
  expect(stray.map(({ what }) => what).toSorted()).toEqual([expect.stringContaining('alone'), expect.stringContaining('late')]);
});

test('a pattern of a task that would take for ever fits nothing', () => {
  expect(wrongArguments({ pattern: { matches: '(a+)+$' } }, { pattern: `${'a'.repeat(40)}!` })).toEqual(['pattern']);
  expect(wrongArguments({ pattern: { matches: '^a+$' } }, { pattern: 'aaa' })).toEqual([]);
});
