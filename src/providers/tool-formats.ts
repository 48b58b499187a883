import type { JsonValue } from '../core/json-value.ts';
import type { ToolRenderers } from '../core/registry.ts';
import type { ToolSpec } from '../core/tool.ts';

/** How each dialect wants to be told of a tool. Sources: the vendors' API references and MCP 2025-11-25, read 2026-11. */
export const TOOL_FORMATS: ToolRenderers = {
  anthropic: renderAnthropicTool,
  'openai-chat': (spec) => ({
    type: 'function',
    function: { name: spec.name, description: spec.description, parameters: schemaOf(spec) },
  }),
  'openai-responses': (spec) => ({
    type: 'function',
    name: spec.name,
    description: spec.description,
    parameters: schemaOf(spec),
    strict: false,
  }),
  gemini: (spec) => ({ name: spec.name, description: spec.description, parametersJsonSchema: schemaOf(spec) }),
  mcp: (spec) => ({
    name: spec.name,
    description: spec.description,
    inputSchema: schemaOf(spec),
    annotations: { readOnlyHint: spec.isReadOnly, destructiveHint: spec.isDestructive, openWorldHint: spec.category === 'web' },
  }),
};

/** A tool as Anthropic wants it. */
export function renderAnthropicTool(spec: ToolSpec): JsonValue {
  return { name: spec.name, description: spec.description, input_schema: schemaOf(spec) };
}

function schemaOf(spec: ToolSpec): JsonValue {
  // `defineTool` has checked that the schema is representable as JSON.
  return spec.inputSchema as JsonValue;
}
