import { defineTool } from '../../core/define-tool.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import type { Tool } from '../../core/tool.ts';
import { fail, succeed } from '../../core/tool-result.ts';
import { rankTools } from './rank-tools.ts';

export interface FindToolOptions {
  readonly registry: ToolRegistry;
  /** In the order of the configuration, so that the same servers give the same words. */
  readonly servers: readonly string[];
  /** Waits a moment for servers that still start; gives the names of those that are not there. */
  missing(signal: AbortSignal): Promise<readonly string[]>;
}

interface FindInput {
  readonly query: string;
  readonly max_results?: number;
}

const DEFAULT_RESULTS = 5;
const MAX_TEXT_CHARS = 30_000;
const MAX_NAMES = 60;

/** Finds tools of servers whose schemas no request carries. It touches nothing. */
export function createFindTool({ registry, servers, missing }: FindToolOptions): Tool<FindInput> {
  return defineTool({
    name: 'FindTool',
    description: `Finds tools of the MCP servers of this project that are not in your list: ${servers.join(', ')}.
Use it before you say that something cannot be done, and where the person speaks of one of these servers. Search with a few words of what the tool should do, or with its name.
Returns names, descriptions and input schemas of those that fit best; call one with CallTool. Without a fit it names what there is.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words of what it should do, a server, or a name such as mcp__server__tool.' },
        max_results: { type: 'integer', minimum: 1, maximum: 20, description: 'Default 5.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    category: 'agent',
    aliases: { snakeCase: 'find_tool', keys: { maxResults: 'max_results', limit: 'max_results' } },
    isReadOnly: true,
    isDestructive: false,
    isConcurrencySafe: true,
    footprint: () => ({ extent: 'listed', reads: [], writes: [] }),
    subject: ({ query }) => query,
    execute: async ({ signal }, { query, max_results: maxResults = DEFAULT_RESULTS }) => {
      const absent = await missing(signal);
      const tools = registry.list({ category: 'mcp' });
      const found = rankTools(tools, query);
      const late = absent.length === 0 ? '' : `\nNot there yet, or not to be had: ${absent.join(', ')}.`;
      if (found.length === 0) return fail(`No tool fits "${query}". ${namesOf(tools)}${late}`);
      const shown = withinSize(found.slice(0, maxResults).map(describe));
      const rest = found.length - shown.length;
      const more = rest === 0 ? '' : `\n\n${rest} more would fit: ${namesIn(found.slice(shown.length))}`;
      return succeed(
        `${shown.length} of ${found.length} that fit; call one with CallTool:\n\n${shown.join('\n\n')}${more}${late}`,
      );
    },
  });
}

function describe({ name, description, inputSchema }: Tool): string {
  return `## ${name}\n${description}\nInput: ${JSON.stringify(inputSchema)}`;
}

/** At least one, however long it is. */
function withinSize(texts: readonly string[]): readonly string[] {
  let size = 0;
  return texts.filter((text, i) => {
    size += text.length;
    return i === 0 || size <= MAX_TEXT_CHARS;
  });
}

function namesOf(tools: readonly Tool[]): string {
  return tools.length === 0 ? 'No server offers any now.' : `Use other words, or one of these names: ${namesIn(tools)}`;
}

function namesIn(tools: readonly Tool[]): string {
  const names = tools.slice(0, MAX_NAMES).map(({ name }) => name);
  const rest = tools.length - names.length;
  return `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}
