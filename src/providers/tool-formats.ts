import type { JsonValue } from '../core/json-value.ts';
import type { Dialect, ToolRenderers, ToolSchema } from '../core/dialect.ts';
import type { ToolSpec } from '../core/tool.ts';
import { portableSchema, type SchemaTarget } from './schema/portable-schema.ts';

/** How each dialect wants to be told of a tool. Sources: the vendors' API references and MCP 2025-11-25, read 2026-11. */
export const TOOL_FORMATS: ToolRenderers = {
  anthropic: (spec) => ({ name: spec.name, description: spec.description, input_schema: schemaFor(spec, 'anthropic') }),
  'openai-chat': (spec) => ({
    type: 'function',
    function: { name: spec.name, description: spec.description, parameters: schemaFor(spec, 'openai') },
  }),
  'openai-responses': (spec) => ({
    type: 'function',
    name: spec.name,
    description: spec.description,
    parameters: schemaFor(spec, 'openai'),
    strict: false,
  }),
  gemini: (spec) => ({ name: spec.name, description: spec.description, parametersJsonSchema: schemaFor(spec, 'gemini') }),
  mcp: (spec) => ({
    name: spec.name,
    description: spec.description,
    title: titleOf(spec.name),
    inputSchema: asSchema(spec.inputSchema),
    annotations: {
      title: titleOf(spec.name),
      readOnlyHint: spec.isReadOnly,
      destructiveHint: spec.isDestructive,
      // To read twice is to read once; of what writes, a tool does not say.
      idempotentHint: spec.isReadOnly,
      openWorldHint: OPEN_WORLD.has(spec.category),
    },
  }),
};

/** What may reach beyond this machine's files. */
const OPEN_WORLD: ReadonlySet<ToolSpec['category']> = new Set(['web', 'shell', 'agent', 'mcp']);

/** `ReadFile` and `read_file` are `Read file` to a person. */
function titleOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TARGETS: Partial<Record<Dialect, SchemaTarget>> = {
  anthropic: 'anthropic',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  gemini: 'gemini',
};

/** The tools of a request, and those that are left out since a server would refuse every request with them. */
export interface OfferedTools {
  readonly tools: readonly JsonValue[];
  readonly unusable: readonly { readonly name: string; readonly problem: string }[];
}

export function offerTools(specs: readonly ToolSpec[], dialect: Dialect): OfferedTools {
  const target = TARGETS[dialect];
  const problems = specs.map((spec) => (target === undefined ? null : problemOf(spec, target)));
  return {
    // What is rendered is JSON; its type names fields.
    tools: specs.filter((_spec, i) => problems[i] === null).map((spec) => TOOL_FORMATS[dialect](spec) as unknown as JsonValue),
    unusable: specs.flatMap(({ name }, i) => (problems[i] == null ? [] : [{ name, problem: problems[i] }])),
  };
}

function problemOf(spec: ToolSpec, target: SchemaTarget): string | null {
  const reshaped = reshape(spec, target);
  return 'problem' in reshaped ? reshaped.problem : null;
}

function schemaFor(spec: ToolSpec, target: SchemaTarget): ToolSchema {
  const reshaped = reshape(spec, target);
  return asSchema('problem' in reshaped ? spec.inputSchema : reshaped.schema);
}

/** `defineTool` has checked that a schema is one of an object, and representable as JSON. */
function asSchema(schema: object): ToolSchema {
  return schema as ToolSchema;
}

// A schema never changes, so it is reshaped once for each target.
const reshapes = new WeakMap<object, Map<SchemaTarget, ReturnType<typeof portableSchema>>>();

function reshape({ inputSchema }: ToolSpec, target: SchemaTarget): ReturnType<typeof portableSchema> {
  const known = reshapes.get(inputSchema) ?? new Map<SchemaTarget, ReturnType<typeof portableSchema>>();
  reshapes.set(inputSchema, known);
  const reshaped = known.get(target) ?? portableSchema(inputSchema, target);
  known.set(target, reshaped);
  return reshaped;
}
