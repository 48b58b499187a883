import { presentedName } from '../../core/presentation.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import type { Tool } from '../../core/tool.ts';

/** The tools of a sub-agent, or the names that its parent does not have and those that it could name. */
export type ChosenTools =
  | { readonly registry: ToolRegistry }
  | { readonly unknown: readonly string[]; readonly known: readonly string[] };

/** Chooses among the tools of the parent; null takes all that a sub-agent can have. */
export function chooseTools(parent: ToolRegistry, names: readonly string[] | null): ChosenTools {
  const all = parent.subset(isForSubAgents);
  if (names === null) return { registry: all };
  const unknown = names.filter((name) => all.get(name) === null);
  if (unknown.length > 0) return { unknown, known: all.list().map((tool) => presentedName(tool, all.toolNames)) };
  const chosen = new Set(names.map((name) => all.get(name)));
  const registry = all.subset((tool) => chosen.has(tool));
  // What was found for it, it need not find.
  for (const { name } of registry.list()) registry.offer(name);
  return { registry };
}

/** The plan is the parent's, and a sub-agent starts none of its own. */
function isForSubAgents({ name, category }: Tool): boolean {
  return category !== 'plan' && name !== 'Task';
}
