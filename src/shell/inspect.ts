import { type AssignedNames, assignedNames } from './assigned-names.ts';
import { type LinkPlace, withoutLinkedPaths } from './link-places.ts';
import { parseCommand } from './parse-command.ts';
import type { ShellFacts, ShellPart, ShellReport } from './report.ts';
import { UnclearCommand } from './walk.ts';
import { walkScript } from './walk-script.ts';

const NO_NAMES: AssignedNames = { numbers: new Set(), once: new Set() };

/** Tells what a command line does without running it. Pure, and fails closed: whatever is not understood is not clear. */
export function inspectCommand(command: string, facts: ShellFacts): ShellReport {
  const parsed = parseCommand(command);
  if (!parsed.isClear) return parsed;
  const parts: ShellPart[] = [];
  const links: LinkPlace[] = [];
  try {
    const names = /[$(]/.test(command) ? assignedNames(parsed.tree) : NO_NAMES;
    walkScript({ facts, names, parts, links, depth: 0, isTrial: false, effort: { steps: 0 }, enter: walkScript }, parsed.script, {
      folders: [facts.cwd],
      variables: new Map(),
      loops: new Map(),
    });
  } catch (thrown) {
    if (thrown instanceof UnclearCommand) return { isClear: false, because: thrown.message };
    if (thrown instanceof RangeError) return { isClear: false, because: 'it is nested too deeply' };
    throw thrown;
  }
  if (parts.length === 0) return { isClear: false, because: 'there is no command in it' };
  return { isClear: true, parts: withoutLinkedPaths(parts, links) };
}
