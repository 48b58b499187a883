import names from './tool-names.json' with { type: 'json' };

const FOREIGN: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(names));

/** Whether a hook is for a tool. It is matched by every name that the tool goes by, also by those of Claude Code: one that guards Edit guards all that edits. */
export function isForTool(matcher: RegExp | null, tool: string, alias: string | null): boolean {
  if (matcher === null) return true;
  return [tool, ...(alias === null ? [] : [alias]), ...(FOREIGN.get(tool) ?? [])].some((name) => matcher.test(name));
}

/** The pattern of a matcher: names alone, with `|` between them, are meant whole; anything else may match anywhere in a name. Errors: throws where it is no regular expression. */
export function matcherPattern(matcher: string | undefined): RegExp | null {
  if (matcher === undefined || matcher === '' || matcher === '*') return null;
  return /^[\w|]+$/.test(matcher) ? new RegExp(`^(?:${matcher})$`) : new RegExp(matcher);
}

/** A call's input with its path also under the name that hooks of Claude Code look for. */
export function inputForHooks(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('path' in input) || 'file_path' in input) return input;
  return { ...input, file_path: input.path };
}
