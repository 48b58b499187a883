import { textOf } from '../core/message.ts';
import type { ToolSpec } from '../core/tool.ts';
import type { ToolResult } from '../core/tool-result.ts';
import type { Toolbox } from '../sdk/create-toolbox.ts';

/** What a call comes to in the AI SDK's own messages and on its pages. Metadata of tools is not in it. */
export type AISDKOutput = Pick<ToolResult, 'content' | 'isError'>;

/** A part of an answer as the AI SDK hands it to its model. */
type ModelPart = { type: 'text'; text: string } | { type: 'file'; mediaType: string; data: { type: 'data'; data: string } };

/** What the AI SDK tells its model of an answer. */
type ModelOutput = { type: 'error-text'; value: string } | { type: 'content'; value: ModelPart[] };

/** A Standard Schema that says itself as JSON Schema and lets every input pass. Source: standardschema.dev, version 1. */
interface PassingSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
  };
}

/** A tool as `generateText` and `streamText` take it. */
export interface AISDKTool {
  readonly description: string;
  readonly inputSchema: PassingSchema;
  execute(input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AISDKOutput>;
  toModelOutput(options: { readonly output: AISDKOutput }): ModelOutput;
}

/**
 * The tools for a loop of the Vercel AI SDK: `generateText({ model, tools: toAISDKTools(toolbox), prompt })`.
 * Source: ai-sdk.dev, Core, Tools and Tool Calling, version 7, read 2026-12.
 */
export function toAISDKTools(toolbox: Toolbox): Record<string, AISDKTool> {
  return Object.fromEntries(toolbox.specs().map((spec) => [spec.name, toolOf(toolbox, spec)]));
}

function toolOf(toolbox: Toolbox, { name, description, inputSchema }: ToolSpec): AISDKTool {
  return {
    description,
    inputSchema: passing(inputSchema),
    execute: async (input, { abortSignal }) => {
      const { content, isError } = await toolbox.call(name, input, abortSignal);
      return { content, isError };
    },
    toModelOutput: ({ output: { content, isError } }) =>
      isError ? { type: 'error-text', value: textOf(content) } : { type: 'content', value: content.map(partOf) },
  };
}

/** The toolbox checks the input itself, and its answers say what to change. */
function passing(schema: object): PassingSchema {
  const json = (): Record<string, unknown> => ({ ...schema });
  const jsonSchema = { input: json, output: json };
  return { '~standard': { version: 1, vendor: 'wield', validate: (value) => ({ value }), jsonSchema } };
}

function partOf(block: ToolResult['content'][number]): ModelPart {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'file', mediaType: block.mediaType, data: { type: 'data', data: block.data } };
}
