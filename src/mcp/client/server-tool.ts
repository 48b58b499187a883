import type { Tool as ToolOfServer } from '@modelcontextprotocol/client';
import { defineTool } from '../../core/define-tool.ts';
import { countHidden, displayText } from '../../core/display-text.ts';
import { messageOf } from '../../core/errors.ts';
import type { JsonSchema } from '../../core/json-schema.ts';
import { isJsonObject } from '../../core/json-value.ts';
import type { Tool, ToolContext } from '../../core/tool.ts';
import type { ToolResult } from '../../core/tool-result.ts';
import { isTooDeep } from '../json-depth.ts';
import { checkForeignInput } from './foreign-check.ts';
import { serverToolName } from './tool-name.ts';

/** A tool as a server tells of it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** Runs a tool of a server by the server's own name for it. */
export type CallServer = (name: string, input: unknown, context: ToolContext) => Promise<ToolResult>;

const MAX_DESCRIPTION_CHARS = 4000;
const MAX_SCHEMA_CHARS = 50_000;
const REMARKS: ReadonlySet<string> = new Set(['description', 'title', '$comment', 'default']);

/** What a server lists as a tool, as far as anything is made of it. A schema that is too large or too deep to walk is none. */
export function readListed({ name, description = '', inputSchema }: ToolOfServer): ListedTool {
  const isOfUse = !isTooDeep(inputSchema) && JSON.stringify(inputSchema).length <= MAX_SCHEMA_CHARS;
  // One more than is shown, so that it is seen to be cut.
  return { name, description: description.slice(0, MAX_DESCRIPTION_CHARS + 1), inputSchema: isOfUse ? inputSchema : null };
}

/**
 * Makes a tool of what a server lists, or says why it cannot. It always counts as one that changes anything: what a server says of its own
 * harmlessness is no more than its word. Its texts go to the model without what hides or steers.
 */
export function serverTool(server: string, listed: ListedTool, call: CallServer): Tool | { readonly fault: string } {
  const shown = displayText(listed.name);
  try {
    const schema = readSchema(listed.inputSchema);
    if ('fault' in schema) return { fault: `its tool ${shown} is left out: ${schema.fault}` };
    const tool: Tool = defineTool<JsonSchema>({
      name: serverToolName(server, listed.name),
      description: descriptionOf(server, listed),
      inputSchema: schema.schema,
      category: 'mcp',
      isDeferred: true,
      execute: (context, input) => call(listed.name, input, context),
    });
    // Its patterns are the server's, and some never come to an end.
    return Object.freeze({ ...tool, checkInput: (input: unknown) => checkForeignInput(schema.schema, input) });
  } catch (thrown) {
    return { fault: `its tool ${shown} is left out: ${messageOf(thrown)}` };
  }
}

function descriptionOf(server: string, { name, description }: ListedTool): string {
  const text = displayText(description).trim();
  const cut = text.length > MAX_DESCRIPTION_CHARS ? `${text.slice(0, MAX_DESCRIPTION_CHARS)} [… cut]` : text;
  return cut === '' ? `The tool ${displayText(name)} of the server ${server}, which does not describe it.` : cut;
}

function readSchema(value: unknown): { readonly schema: JsonSchema } | { readonly fault: string } {
  if (!isJsonObject(value))
    return { fault: `its schema is no object, nested too deep or longer than ${MAX_SCHEMA_CHARS} characters` };
  const hidden: string[] = [];
  // A copy of its own, which nobody else changes. What only tells of a value is made readable; what a value is checked by stays as it is,
  // and so must not hide or steer.
  const schema = JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    const isRemark = typeof item === 'string' && REMARKS.has(key);
    if (!isRemark) hidden.push(...[key, item].filter(hides));
    return isRemark ? displayText(item) : item;
  }) as JsonSchema;
  if (hidden.length > 0)
    return { fault: `its schema holds characters that nobody sees, in ${displayText(JSON.stringify(hidden[0]))}` };
  return { schema: { ...schema, type: 'object', properties: schema.properties ?? {} } };
}

function hides(value: unknown): value is string {
  return typeof value === 'string' && countHidden(value) > 0;
}
