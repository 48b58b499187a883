import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentError, messageOf } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-value.ts';
import type { Tool } from '../../core/tool.ts';

/** The tools of a module, and the samples that it brings for them. */
export interface ModuleTools {
  readonly tools: readonly Tool[];
  /** By tool: `{ samples: [inputs], slow: input }`. */
  readonly samples: ReadonlyMap<string, { readonly samples: readonly unknown[]; readonly slow: unknown }>;
}

/**
 * Loads a module and takes the tools that it exports: as they are, in lists, or from functions called create…Tool that need nothing.
 * Errors: AgentError `misuse` where it is not there, does not load, or has none.
 */
export async function loadModuleTools(path: string, cwd: string): Promise<ModuleTools> {
  const file = resolve(cwd, path);
  if (!existsSync(file)) throw misuse(`There is no file ${path}.`, 'Give the path of a module that exports tools.');
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    throw misuse(`The module ${path} does not load: ${messageOf(thrown)}`, 'Mend it, and see that it loads with node.');
  }
  const tools = [...new Set(Object.entries(exported).flatMap(([name, value]) => toolsIn(made(name, value))))];
  if (tools.length === 0) throw misuse(`The module ${path} exports no tool.`, 'Export what defineTool returns, or a list of it.');
  return { tools, samples: samplesIn(exported['samples']) };
}

function made(name: string, value: unknown): unknown {
  if (typeof value !== 'function' || value.length > 0 || !/^create\w*Tools?$/.test(name)) return value;
  // Checked just above to be a function that needs nothing.
  return (value as () => unknown)();
}

function toolsIn(value: unknown): readonly Tool[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  return isTool(value) ? [value] : [];
}

function isTool(value: unknown): value is Tool {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !isJsonObject(value['inputSchema'])) return false;
  return ['execute', 'checkInput', 'validateInput', 'footprint', 'subject'].every((key) => typeof value[key] === 'function');
}

function samplesIn(value: unknown): ModuleTools['samples'] {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return new Map(
    entries.flatMap(([name, given]) => {
      const { samples, slow = null } = isJsonObject(given) ? given : { samples: given };
      return Array.isArray(samples) ? [[name, { samples, slow }] as const] : [];
    }),
  );
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}
