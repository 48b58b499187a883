import { checkInput } from './check-input.ts';
import type { Footprint } from './footprint.ts';
import { type FromSchema, type JsonSchema, schemaFault } from './json-schema.ts';
import { checkWithStandard, isStandardSchema, jsonSchemaOf, type StandardSchema } from './standard-schema.ts';
import type { CallFacts, Tool, ToolAliases, ToolCategory, ToolContext } from './tool.ts';
import type { ToolResult } from './tool-result.ts';

/** The input type that a schema gives: a literal JSON Schema or a library's. */
export type InputOf<S> = S extends StandardSchema<infer Output> ? Output : FromSchema<S>;

/** What a tool says of itself. All but the first four fields have a default that assumes the worst. */
export interface ToolDefinition<S, M> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: S;
  execute(context: ToolContext, input: InputOf<S>): Promise<ToolResult<M>>;
  readonly category?: ToolCategory;
  readonly aliases?: ToolAliases;
  readonly isReadOnly?: boolean;
  readonly isDestructive?: boolean;
  readonly isDeferred?: boolean;
  readonly isConcurrencySafe?: boolean | ((input: InputOf<S>) => boolean);
  validateInput?(input: InputOf<S>, facts: CallFacts): string | null;
  footprint?(input: InputOf<S>, facts: CallFacts): Footprint;
  subject?(input: InputOf<S>): string;
}

const TOOL_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

/**
 * Makes a tool. It fails closed: unless it says otherwise a tool writes, destroys, touches everything and runs alone.
 * Errors: throws TypeError at definition for a bad name, an empty description, and a schema that is empty or has no JSON form.
 */
export function defineTool<const S extends JsonSchema | StandardSchema, M = unknown>(
  definition: ToolDefinition<S, M>,
): Tool<InputOf<S>, M> {
  const { name, description, inputSchema } = definition;
  if (!TOOL_NAME.test(name)) throw new TypeError(`Tool name "${name}" must match ${TOOL_NAME.source}`);
  if (description.trim() === '') throw new TypeError(`Tool ${name} needs a description: it is all that a model knows of it`);
  const jsonSchema = portableSchema(name, inputSchema);
  const { isConcurrencySafe = false } = definition;
  const isSafe = typeof isConcurrencySafe === 'function' ? isConcurrencySafe : () => isConcurrencySafe;

  return Object.freeze({
    name,
    description,
    inputSchema: jsonSchema,
    category: definition.category ?? 'agent',
    ...(definition.aliases === undefined ? {} : { aliases: definition.aliases }),
    isReadOnly: definition.isReadOnly ?? false,
    isDestructive: definition.isDestructive ?? true,
    isDeferred: definition.isDeferred ?? false,
    isConcurrencySafe: isSafe,
    checkInput: checkerFor<InputOf<S>>(inputSchema, jsonSchema),
    validateInput: definition.validateInput ?? (() => null),
    footprint: definition.footprint ?? ((input: InputOf<S>): Footprint => ({ extent: 'everything', writes: !isSafe(input) })),
    subject: definition.subject ?? ((input: InputOf<S>) => JSON.stringify(input) ?? ''),
    execute: definition.execute,
  });
}

function portableSchema(name: string, schema: JsonSchema | StandardSchema): JsonSchema {
  let jsonSchema: JsonSchema;
  try {
    jsonSchema = isStandardSchema(schema) ? jsonSchemaOf(schema) : schema;
  } catch (cause) {
    throw new TypeError(`Tool ${name}: its schema has no JSON form: ${String(cause)}`, { cause });
  }
  const fault = schemaFault(jsonSchema);
  if (fault !== null) throw new TypeError(`Tool ${name}: ${fault}`);
  return jsonSchema;
}

function checkerFor<I>(schema: JsonSchema | StandardSchema, jsonSchema: JsonSchema): Tool<I>['checkInput'] {
  // The one boundary where an unknown input becomes the tool's own type: checked just before.
  if (isStandardSchema(schema)) return (input) => checkWithStandard(schema as StandardSchema<I>, input);
  return async (input) => {
    const problem = await checkInput(jsonSchema, input);
    return problem === null ? { input: input as I } : { problem };
  };
}
