import { expect, test } from 'vitest';
import { type Plan, PlanStop, type Round } from './plan.ts';
import { replayPlan } from './replay.ts';
import type { AnsweredCall } from './transcript.ts';

const read = (path: string): Round => ({ say: `read ${path}`, calls: [{ tool: 'ReadFile', input: { path } }] });
const answered = (text: string, isError = false): AnsweredCall => ({ tool: 'ReadFile', input: {}, text, isError });

function* twoReads(): Plan {
  const [a] = yield read('a');
  const [b] = yield read('b');
  return `${a?.text} ${b?.text}`;
}

test('a plan stands at its first round that has no answer', () => {
  expect(replayPlan(twoReads(), [])).toEqual({ next: read('a') });
  expect(replayPlan(twoReads(), [answered('A')])).toEqual({ next: read('b') });
  expect(replayPlan(twoReads(), [answered('A'), answered('B')])).toEqual({ final: 'A B' });
});

test('a call that was made before gets its earlier answer and is not made again', () => {
  function* plan(): Plan {
    yield read('a');
    const [again] = yield read('a');
    return again?.text ?? '';
  }
  expect(replayPlan(plan(), [answered('A')])).toEqual({ final: 'A' });
});

test('a round of several calls asks only for those that have no answer', () => {
  function* plan(): Plan {
    const answers = yield { say: '', calls: [...read('a').calls, ...read('b').calls] };
    return answers.map((answer) => answer.text).join(' ');
  }
  expect(replayPlan(plan(), [answered('A')])).toEqual({ next: { say: '', calls: read('b').calls } });
  expect(replayPlan(plan(), [answered('A'), answered('B')])).toEqual({ final: 'A B' });
});

test('a plan that stops gives its words as the final text', () => {
  // oxlint-disable-next-line require-yield -- it stops before its first round
  function* plan(): Plan {
    throw new PlanStop('no tool');
  }
  expect(replayPlan(plan(), [])).toEqual({ final: 'no tool' });
});
