import type { JsonSchema } from './json-schema.ts';
import { isJsonObject } from './json-value.ts';
import type { Tool, ToolSpec } from './tool.ts';

/** How tools are named to a model: `ReadFile` with absolute paths, or `read_file` with paths from the project root. */
export type ToolNames = 'PascalCase' | 'snake_case';

/** A tool as a model is told of it. `known` are the tools whose names its description may mention. */
export function presentTool(tool: Tool, known: readonly Tool[], toolNames: ToolNames): ToolSpec {
  const { category, isReadOnly, isDestructive } = tool;
  const facts = { category, isReadOnly, isDestructive };
  if (toolNames === 'PascalCase')
    return { name: tool.name, description: tool.description, inputSchema: tool.inputSchema, ...facts };
  return {
    name: snakeCaseName(tool),
    description: presentText(tool.description, known),
    inputSchema: presentSchema(tool, known),
    ...facts,
  };
}

/** The name a tool goes by in a presentation. */
export function presentedName(tool: Tool, toolNames: ToolNames): string {
  return toolNames === 'PascalCase' ? tool.name : snakeCaseName(tool);
}

/** Turns accepted spellings of keys into the tool's own, and arrays or objects sent as JSON text into what they say. Unknown keys stay, for the schema to name. */
export function canonicalInput(
  tool: Tool,
  input: unknown,
  { toolNames, cwd }: { readonly toolNames: ToolNames; readonly cwd: string },
): unknown {
  if (!isJsonObject(input)) return input;
  const { keys = {}, snakeCaseDefaults = {} } = tool.aliases ?? {};
  const properties = tool.inputSchema.properties ?? {};
  const renamed: Record<string, unknown> = toolNames === 'snake_case' ? { ...snakeCaseDefaults } : {};
  for (const [key, value] of Object.entries(input)) {
    const own = Object.hasOwn(properties, key) ? key : (keys[key] ?? key);
    // A key under its own name wins over an alias of it.
    if (own !== key && Object.hasOwn(input, own)) continue;
    renamed[own] = parsedWhereJson(value, properties[own]);
  }
  return toolNames === 'snake_case' ? withAbsolutePaths(tool, renamed, cwd) : renamed;
}

function withAbsolutePaths(tool: Tool, input: Record<string, unknown>, cwd: string): unknown {
  for (const key of tool.aliases?.pathKeys ?? []) {
    const path = input[key];
    if (typeof path === 'string' && path !== '' && !/^[/~]/.test(path)) input[key] = resolveFrom(cwd, path);
  }
  return input;
}

function resolveFrom(cwd: string, path: string): string {
  const segments = cwd.split('/');
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/') || '/';
}

function parsedWhereJson(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value !== 'string' || (schema?.type !== 'array' && schema?.type !== 'object')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function snakeCaseName(tool: Tool): string {
  return tool.aliases?.snakeCase ?? tool.name;
}

function presentText(text: string, known: readonly Tool[]): string {
  let presented = text;
  for (const tool of known) presented = presented.replaceAll(new RegExp(`\\b${tool.name}\\b`, 'g'), snakeCaseName(tool));
  return presented.replaceAll('Absolute path', 'Path, absolute or from the project root').replaceAll('absolute path', 'path');
}

function presentSchema(tool: Tool, known: readonly Tool[]): JsonSchema {
  const names = tool.aliases?.snakeCaseKeys ?? {};
  const rename = (key: string): string => names[key] ?? key;
  const properties: Record<string, JsonSchema> = {};
  for (const [key, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
    const description = schema.description === undefined ? {} : { description: presentText(schema.description, known) };
    properties[rename(key)] = { ...schema, ...description };
  }
  const required = tool.inputSchema.required;
  return { ...tool.inputSchema, properties, ...(required === undefined ? {} : { required: required.map(rename) }) };
}
