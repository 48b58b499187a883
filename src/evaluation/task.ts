import { checkInput } from '../core/check-input.ts';
import { AgentError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';

/** What an argument should be: a value as it is, or one of these. */
export type Expected =
  | JsonValue
  | { readonly matches: string }
  | { readonly contains: string }
  | { readonly oneOf: readonly JsonValue[] }
  | { readonly absent: true }
  | { readonly present: true };

/** A call that would be right. Arguments that are not named may be anything that the tool takes. */
export interface ExpectedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Expected>>;
}

/** Something that a person could ask, and the first call that answers it. The first one expected is the task's own; the others count as right too. None: it is to be answered in words. */
export interface EvaluationTask {
  readonly id: string;
  readonly language: string;
  readonly prompt: string;
  readonly expect: readonly ExpectedCall[];
}

/** Stands for no call where a tool's name would stand. */
export const NO_CALL = '(no call)';

/** The tool that a task is about. */
export function ownTool({ expect }: EvaluationTask): string {
  return expect[0]?.tool ?? NO_CALL;
}

const TASKS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1 },
      language: { type: 'string' },
      prompt: { type: 'string', minLength: 1 },
      expect: {
        type: 'array',
        items: {
          type: 'object',
          properties: { tool: { type: 'string' }, arguments: { type: 'object', properties: {}, additionalProperties: true } },
          required: ['tool'],
          additionalProperties: false,
        },
      },
    },
    required: ['id', 'prompt', 'expect'],
    additionalProperties: false,
  },
} as const;

/** Reads tasks from what a file holds. Errors: AgentError `misuse`, which names the file and what is wrong in it. */
export async function parseTasks(value: unknown, file: string): Promise<readonly EvaluationTask[]> {
  const problem = await checkInput(TASKS_SCHEMA, value);
  if (problem !== null) throw unusable(file, problem);
  // Checked just above.
  const given = value as readonly (Omit<EvaluationTask, 'language' | 'expect'> & {
    readonly language?: string;
    readonly expect: readonly { readonly tool: string; readonly arguments?: ExpectedCall['arguments'] }[];
  })[];
  const tasks = given.map(({ language = 'en', expect, ...task }) => ({
    ...task,
    language,
    expect: expect.map((call) => ({ tool: call.tool, arguments: call.arguments ?? {} })),
  }));
  for (const { id, expect } of tasks)
    for (const pattern of expect.flatMap((call) => Object.values(call.arguments)).flatMap(patternOf))
      if (!isPattern(pattern)) throw unusable(file, `task ${id}: "${pattern}" is no regular expression.`);
  const twice = tasks.map(({ id }) => id).find((id, i, ids) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw unusable(file, `two tasks are called ${twice}.`);
  return tasks;
}

function patternOf(expected: Expected): readonly string[] {
  if (!isJsonObject(expected)) return [];
  const { matches }: JsonObject = expected;
  return typeof matches === 'string' ? [matches] : [];
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function unusable(file: string, why: string): AgentError {
  return new AgentError({
    code: 'misuse',
    message: `The tasks in ${file} cannot be used: ${why}`,
    remedy: 'A task is {"id", "prompt", "expect": [{"tool", "arguments"}]}; docs/tool-kit.md has examples.',
  });
}
