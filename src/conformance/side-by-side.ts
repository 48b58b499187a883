import { textOf, type ToolResultBlock } from '../core/message.ts';
import type { Subject } from './bench.ts';
import { found, skip, type Verdict } from './finding.ts';
import { inWords } from './input-words.ts';
import { startCalls, type Trial } from './trial.ts';

const CALLS_AT_ONCE = 6;
const INPUTS = 3;

/** Runs calls that say they may run beside others one by one, twice, and then at once: the answers have to be the same. */
export async function checkConcurrency(subject: Subject, trials: readonly Trial[]): Promise<Verdict> {
  const ran = trials.filter(({ outcome }) => outcome === 'answered').map(({ input }) => input);
  const inputs = distinct(ran.filter((input) => subject.tool.isConcurrencySafe(input))).slice(0, INPUTS);
  if (inputs.length === 0) return skip(ran.length === 0 ? 'no call was answered' : 'it runs alone');
  const alone = await oneByOne(subject, inputs);
  const again = await oneByOne(subject, inputs);
  const steady = inputs.map((_, i) => alone[i] === again[i]);
  if (!steady.includes(true)) return skip('it answers otherwise each time, so that nothing can be compared');
  // Twice each, and mixed: what they have in common is then used by both kinds.
  const crowd = Array.from({ length: Math.max(2, Math.floor(CALLS_AT_ONCE / inputs.length)) }, () => [...inputs.keys()]).flat();
  const together = await atOnce(
    subject,
    crowd.map((i) => inputs[i]),
  );
  const wrong = crowd.findIndex((i, place) => steady[i] === true && together[place] !== alone[i]);
  if (wrong < 0) return found();
  const input = inputs[crowd[wrong] ?? 0];
  return found({
    what: `It says that it may run beside others, and ${inWords(input)} answers otherwise there: ${inWords(together[wrong])} and not ${inWords(alone[crowd[wrong] ?? 0])}.`,
    remedy: 'Keep nothing that two calls share, or do not set isConcurrencySafe.',
  });
}

async function oneByOne(subject: Subject, inputs: readonly unknown[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const input of inputs) answers.push(...(await atOnce(subject, [input])));
  return answers;
}

async function atOnce(subject: Subject, inputs: readonly unknown[]): Promise<readonly string[]> {
  const { round } = startCalls(subject, inputs, AbortSignal.timeout(subject.limits.deadlineMs));
  return (await round.results()).map(answerOf);
}

function answerOf({ content, isError }: ToolResultBlock): string {
  return `${isError ? 'error: ' : ''}${textOf(content)}`;
}

function distinct(inputs: readonly unknown[]): readonly unknown[] {
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
}
