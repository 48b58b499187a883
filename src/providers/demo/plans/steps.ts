import { type Answer, type Plan, PlanStop } from '../plan.ts';
import { firstLineOf, refusalKindOf } from '../reading/refusal.ts';
import { hasTool, type Scene, say } from '../scene.ts';
import type { Call, ToolName } from '../toolbox.ts';

/** Makes calls side by side. Stops the plan where a tool is not offered or a call was denied; any other failure is for the plan. */
export function* makeCalls(scene: Scene, words: string, calls: readonly Call[]): Plan<readonly Answer[]> {
  for (const call of calls) requireTool(scene, call.tool);
  const answers = yield { say: words, calls };
  for (const answer of answers) stopWhereDenied(scene, answer);
  return answers;
}

/** Makes one call. */
export function* makeCall(scene: Scene, words: string, call: Call): Plan<Answer> {
  const [answer] = yield* makeCalls(scene, words, [call]);
  if (answer === undefined) throw new Error('a round answered fewer calls than it made');
  return answer;
}

/** Makes one call that has to succeed; where it fails the plan stops and says what failed. */
export function* mustCall(scene: Scene, words: string, call: Call): Plan<Answer> {
  const answer = yield* makeCall(scene, words, call);
  if (answer.isError) throw failure(scene, answer);
  return answer;
}

/** The stop that tells what failed, in the tool's own words. */
export function failure(scene: Scene, answer: Answer): PlanStop {
  return new PlanStop(say(scene, 'failed', { tool: answer.call.tool, words: firstLineOf(answer.text) }));
}

/** Stops the plan where a tool is not offered. */
export function requireTool(scene: Scene, tool: ToolName): void {
  if (hasTool(scene, tool)) return;
  throw new PlanStop(say(scene, WAYS_TO_OFFER[tool] ?? 'notOfferedReading', { tool }));
}

const WAYS_TO_OFFER: Readonly<Partial<Record<ToolName, 'notOfferedWriting' | 'notOfferedBash'>>> = {
  WriteFile: 'notOfferedWriting',
  EditFile: 'notOfferedWriting',
  Bash: 'notOfferedBash',
};

function stopWhereDenied(scene: Scene, answer: Answer): void {
  if (!answer.isError) return;
  const kind = refusalKindOf(answer.text);
  if (kind !== 'denied' && kind !== 'disabled') return;
  const { tool, input } = answer.call;
  const command = typeof input['command'] === 'string' ? input['command'] : '';
  const values = { tool, words: firstLineOf(answer.text), command };
  if (kind === 'disabled') throw new PlanStop(say(scene, 'disabledCall', values));
  if (tool === 'Bash') throw new PlanStop(say(scene, 'deniedBash', values));
  throw new PlanStop(say(scene, tool === 'EditFile' || tool === 'WriteFile' ? 'deniedEdit' : 'deniedCall', values));
}
