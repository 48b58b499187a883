import { checkInput } from '../core/check-input.ts';
import { AgentError } from '../core/errors.ts';
import type { JsonSchema } from '../core/json-schema.ts';
import type { Tool } from '../core/tool.ts';

/** Other words for some tools: of the whole, and of parameters. */
export interface WordingFile {
  readonly name: string | null;
  readonly tools: Readonly<Record<string, ToolWords>>;
}

interface ToolWords {
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

const WORDING_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    tools: {
      type: 'object',
      properties: {},
      additionalProperties: {
        anyOf: [
          { type: 'string', minLength: 1 },
          {
            type: 'object',
            properties: {
              description: { type: 'string', minLength: 1 },
              parameters: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
            },
            additionalProperties: false,
          },
        ],
      },
    },
  },
  required: ['tools'],
  additionalProperties: false,
} as const;

/** Reads a wording from what a file holds. Errors: AgentError `misuse`. */
export async function parseWording(value: unknown, file: string): Promise<WordingFile> {
  const problem = await checkInput(WORDING_SCHEMA, value);
  if (problem !== null) throw unusable(file, problem);
  // Checked just above.
  const { name = null, tools } = value as {
    readonly name?: string;
    readonly tools: Readonly<Record<string, string | ToolWords>>;
  };
  const words = Object.entries(tools).map(([tool, given]) => [tool, typeof given === 'string' ? { description: given } : given]);
  return { name, tools: Object.fromEntries(words) as WordingFile['tools'] };
}

/** The tools with these words in place of their own. Errors: AgentError `misuse` where there is no such tool or parameter. */
export function reworded(tools: readonly Tool[], { tools: words }: WordingFile, file: string): readonly Tool[] {
  const names = new Set(tools.map(({ name }) => name));
  const unknown = Object.keys(words).find((name) => !names.has(name));
  if (unknown !== undefined) throw unusable(file, `there is no tool ${unknown}. There are: ${[...names].join(', ')}.`);
  return tools.map((tool) => {
    const given = Object.hasOwn(words, tool.name) ? words[tool.name] : undefined;
    if (given === undefined) return tool;
    const { description = tool.description, parameters = {} } = given;
    return Object.freeze({ ...tool, description, inputSchema: schemaWith(tool, parameters, file) });
  });
}

function schemaWith({ name, inputSchema }: Tool, parameters: Readonly<Record<string, string>>, file: string): JsonSchema {
  const properties = { ...inputSchema.properties };
  for (const [key, description] of Object.entries(parameters)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined) throw unusable(file, `${name} has no parameter ${key}.`);
    properties[key] = { ...schema, description };
  }
  return { ...inputSchema, properties };
}

function unusable(file: string, why: string): AgentError {
  return new AgentError({
    code: 'misuse',
    message: `The wording in ${file} cannot be used: ${why}`,
    remedy: 'It is {"name", "tools": {"Grep": {"description", "parameters": {"pattern": "…"}}}}.',
  });
}
