import { canonicalInput } from '../core/presentation.ts';
import type { ToolRegistry } from '../core/registry.ts';
import type { FirstStep } from './ask-task.ts';
import { wrongArguments } from './match-arguments.ts';
import { type EvaluationTask, NO_CALL, ownTool } from './task.ts';

/** What a first step is worth, for its task. */
export interface Judged {
  readonly task: EvaluationTask;
  /** A tool by its own name, NO_CALL, or what the model called and is none. */
  readonly chosen: string;
  readonly isRightTool: boolean;
  /** Null where the tool is wrong, so that nobody can say. */
  readonly hasRightArguments: boolean | null;
  /** Why the arguments are not right. */
  readonly fault: string | null;
  readonly input: unknown;
}

/** Judges by names and keys in any spelling that a call may have. */
export async function judgeStep(
  task: EvaluationTask,
  step: Exclude<FirstStep, { type: 'failed' }>,
  { registry, cwd }: { readonly registry: ToolRegistry; readonly cwd: string },
): Promise<Judged> {
  if (step.type === 'words') {
    const isRight = task.expect.length === 0;
    return { task, chosen: NO_CALL, isRightTool: isRight, hasRightArguments: isRight ? true : null, fault: null, input: null };
  }
  const tool = registry.get(step.name);
  const chosen = tool?.name ?? step.name;
  const input = tool === null ? step.input : canonicalInput(tool, step.input, { toolNames: registry.toolNames, cwd });
  const expected = task.expect.filter((call) => call.tool === chosen);
  if (tool === null || expected.length === 0)
    return { task, chosen, isRightTool: false, hasRightArguments: null, fault: null, input };
  const checked = await tool.checkInput(input);
  const refusal = 'problem' in checked ? checked.problem : tool.validateInput(checked.input, { cwd });
  const wrong = expected.map((call) => wrongArguments(call.arguments, input));
  const isRight = refusal === null && wrong.some((names) => names.length === 0);
  const fault = refusal ?? `not as expected: ${wrong[0]?.join(', ') ?? ''}`;
  return { task, chosen, isRightTool: true, hasRightArguments: isRight, fault: isRight ? null : fault, input };
}

/** The row of a confusion matrix that a judged step belongs to: where another right tool was chosen, that one's. */
export function rowOf({ task, chosen, isRightTool }: Judged): string {
  return isRightTool ? chosen : ownTool(task);
}
