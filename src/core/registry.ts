import type { Dialect, ToolFormats, ToolRenderers } from './dialect.ts';
import { presentTool, type ToolNames } from './presentation.ts';
import type { Tool, ToolCategory, ToolSpec } from './tool.ts';

export { DIALECTS, type Dialect, type ToolFormats, type ToolRenderers, type ToolSchema } from './dialect.ts';

/** How a registry presents its tools. */
export interface RegistryOptions {
  readonly renderers: ToolRenderers;
  /** Default: PascalCase. */
  readonly toolNames?: ToolNames;
}

/** A tool that a model may call, or why it may not. */
export type Lookup = { readonly tool: Tool } | { readonly disabledBy: string } | null;

/** The tools of a session. Order of registration is the order in which models see them. */
export class ToolRegistry {
  readonly toolNames: ToolNames;
  readonly #renderers: ToolRenderers;
  readonly #tools = new Map<string, Tool>();
  readonly #disabled = new Map<string, string>();
  readonly #offered = new Set<string>();
  /** Every spelling of a name, folded. */
  readonly #spellings = new Map<string, string>();

  constructor(options: RegistryOptions) {
    this.#renderers = options.renderers;
    this.toolNames = options.toolNames ?? 'PascalCase';
  }

  /** Errors: throws where the name, or a spelling of it, is taken. */
  register<I, M>(tool: Tool<I, M>): this {
    const spellings = [tool.name, ...(tool.aliases === undefined ? [] : [tool.aliases.snakeCase])].map(foldName);
    const taken = spellings.find((spelling) => this.#spellings.has(spelling));
    if (taken !== undefined)
      throw new TypeError(`Tool ${tool.name}: the name "${taken}" belongs to ${this.#spellings.get(taken)}`);
    for (const spelling of spellings) this.#spellings.set(spelling, tool.name);
    // Every call passes the tool's own checkInput before anything typed sees its input.
    this.#tools.set(tool.name, tool);
    return this;
  }

  /** Puts a tool in the place of the one by its very name, which reads otherwise now. Errors: throws where there is none. */
  replace<I, M>(tool: Tool<I, M>): this {
    if (!this.#tools.has(tool.name)) throw new TypeError(`There is no tool ${tool.name} to replace`);
    this.#tools.set(tool.name, tool);
    return this;
  }

  enable(nameOrCategory: string): this {
    for (const tool of this.#matching(nameOrCategory)) this.#disabled.delete(tool.name);
    return this;
  }

  /** `by` tells the model and the user who switched it off. */
  disable(nameOrCategory: string, by = 'the configuration'): this {
    for (const tool of this.#matching(nameOrCategory)) this.#disabled.set(tool.name, by);
    return this;
  }

  /** Tells models of a deferred tool from now on, behind all others. It stays there when it is disabled: prompt caches hold, and a call of it learns why. */
  offer(name: string): this {
    for (const tool of this.#matching(name)) if (tool.isDeferred) this.#offered.add(tool.name);
    return this;
  }

  /** An enabled tool by any spelling of its name. */
  get(name: string): Tool | null {
    const found = this.lookup(name);
    return found !== null && 'tool' in found ? found.tool : null;
  }

  /** Tells a disabled tool from an unknown one. */
  lookup(name: string): Lookup {
    const tool = this.#tools.get(this.#spellings.get(foldName(name)) ?? '');
    if (tool === undefined) return null;
    const by = this.#disabled.get(tool.name);
    return by === undefined ? { tool } : { disabledBy: by };
  }

  /** Enabled tools in order of registration. */
  list(filter: { readonly category?: ToolCategory } = {}): readonly Tool[] {
    return [...this.#tools.values()].filter(
      (tool) => !this.#disabled.has(tool.name) && (filter.category === undefined || tool.category === filter.category),
    );
  }

  /** The enabled tools as a model is told of them, in the registry's presentation; deferred ones only where they were offered. */
  specs(): readonly ToolSpec[] {
    const offered = [...this.#offered].flatMap((name) => this.#tools.get(name) ?? []);
    const shown = [...this.list().filter((tool) => !tool.isDeferred), ...offered];
    const known = [...this.#tools.values()].filter((tool) => !tool.isDeferred || this.#offered.has(tool.name));
    return shown.map((tool) => presentTool(tool, known, this.toolNames));
  }

  /** The enabled tools that are accepted, in the same order, in a registry of their own. */
  subset(accepts: (tool: Tool) => boolean): ToolRegistry {
    const subset = new ToolRegistry({ renderers: this.#renderers, toolNames: this.toolNames });
    for (const tool of this.list()) if (accepts(tool)) subset.register(tool);
    for (const name of this.#offered) subset.offer(name);
    return subset;
  }

  /** What a request in this dialect carries as its tools, always exactly this. */
  toAPIFormat<D extends Dialect = 'anthropic'>(dialect?: D): ToolFormats[D][] {
    // Not given, D is 'anthropic'.
    return this.specs().map(this.#renderers[dialect ?? ('anthropic' as D)]);
  }

  #matching(nameOrCategory: string): Tool[] {
    const name = this.#spellings.get(foldName(nameOrCategory));
    return [...this.#tools.values()].filter((tool) => tool.name === name || tool.category === nameOrCategory);
  }
}

/**
 * ReadFile, read_file, readFile and read-file are one name. A server's tool has the one spelling: where its underscores stand says whose it
 * is, and mcp__mail_lab__send must not be what another server calls mcp__mail__lab_send.
 */
function foldName(name: string): string {
  if (name.startsWith('mcp__')) return name;
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
