import { beforeAll, describe, expect, test } from 'vitest';
import attempts from '../src/host/sandbox/escape-attempts.json' with { type: 'json' };
import { type EscapeResult, runEscapeBattery } from '../src/host/sandbox/escape-battery.ts';

const results = new Map<string, EscapeResult>();
let why: string | null = null;

// All in one go: most of the time goes into the place that they need.
beforeAll(async () => {
  ({ why } = await runEscapeBattery((result) => void results.set(result.name, result)));
}, 600_000);

describe('in the sandbox a command that', () => {
  test.for(attempts.map(({ name }) => name))('%s is held', (name, { skip }) => {
    if (why !== null) skip(`no bwrap: ${why}`);
    expect(results.get(name)).toMatchObject({ name, held: true });
  });
});

test('what is held works without a sandbox, so that the attempts mean something', ({ skip }) => {
  if (why !== null) skip(`no bwrap: ${why}`);
  const tried = [...results.values()].filter(({ worksOutside }) => worksOutside !== null);
  const working = tried.filter(({ worksOutside }) => worksOutside === true);
  // Some need root, perl or a kernel that lets them; where most work, the others were written by the same hand.
  expect(working.length).toBeGreaterThan(tried.length * 0.75);
});
