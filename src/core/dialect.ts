import type { ToolSpec } from './tool.ts';

export const DIALECTS = ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'mcp'] as const;
/** How a wire format wants to be told of a tool. */
export type Dialect = (typeof DIALECTS)[number];

/** A JSON Schema of an object, as an API takes it. */
export interface ToolSchema {
  type: 'object';
  [key: string]: unknown;
}

/**
 * A tool as each dialect carries it in a request. Writable, as the vendors' own types are, so that it goes into their clients as it is.
 * Sources: the vendors' API references and MCP 2025-11-25, read 2026-11.
 */
export interface ToolFormats {
  anthropic: { name: string; description: string; input_schema: ToolSchema };
  'openai-chat': { type: 'function'; function: { name: string; description: string; parameters: ToolSchema } };
  'openai-responses': { type: 'function'; name: string; description: string; parameters: ToolSchema; strict: false };
  gemini: { name: string; description: string; parametersJsonSchema: ToolSchema };
  mcp: {
    name: string;
    title: string;
    description: string;
    inputSchema: ToolSchema;
    annotations: {
      title: string;
      readOnlyHint: boolean;
      destructiveHint: boolean;
      idempotentHint: boolean;
      openWorldHint: boolean;
    };
  };
}

/** One function a dialect, each beside its wire format. */
export type ToolRenderers = { readonly [D in Dialect]: (spec: ToolSpec) => ToolFormats[D] };
