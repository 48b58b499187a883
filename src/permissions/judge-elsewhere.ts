import type { DecisionPart, PermissionRule } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { inspectCommand } from '../shell/inspect.ts';
import type { ShellPart } from '../shell/report.ts';
import type { Considered, Gate } from './gate.ts';
import { rulesOnPart } from './rules/rule-match.ts';

/**
 * A command that runs elsewhere. What it would touch there cannot be looked at, so none passes for only reading: each part asks, unless
 * the mode or a rule about its words decides. Where a rule refuses some place, no rule lets a command pass, since it may go there.
 */
export function considerElsewhere(gate: Gate, tool: Tool, command: string): readonly Considered[] {
  const report = inspectCommand(command, { cwd: gate.options.cwd, home: gate.options.home });
  if (!report.isClear) return [unclear(gate, tool, command, report.because)];
  if (report.parts.length === 0) return [unclear(gate, tool, command, 'there is no command in it')];
  const refusesPlaces = gate.rules.some(({ rule, path }) => rule.behavior !== 'allow' && path !== null);
  return report.parts.map((part) => {
    const rules = rulesOnPart(gate.rules, tool.name, { part, command });
    return { part: partElsewhere(gate, part), rules: refusesPlaces ? rules.filter(refuses) : rules };
  });
}

function refuses({ behavior }: PermissionRule): boolean {
  return behavior !== 'allow';
}

function unclear(gate: Gate, tool: Tool, command: string, because: string): Considered {
  const part = partElsewhere(gate, { text: command, beyondRules: because });
  const rules = gate.rules.map(({ rule }) => rule).filter((rule) => rule.tool === tool.name && refuses(rule));
  return {
    part: rules.length > 0 && part.decision === 'allow' ? { ...part, decision: 'ask', cause: 'unclear', because } : part,
    rules,
  };
}

function partElsewhere(
  { options: { mode } }: Gate,
  { text, beyondRules }: Pick<ShellPart, 'text' | 'beyondRules'>,
): DecisionPart {
  if (mode === 'plan')
    return {
      text,
      decision: 'deny',
      cause: 'mode',
      because: 'plan mode only reads, and what this does elsewhere cannot be told',
    };
  if (mode === 'bypassPermissions') return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  if (beyondRules !== null) return { text, decision: 'ask', cause: 'unclear', because: beyondRules };
  return { text, decision: 'ask', cause: 'runs', because: 'it runs where nothing of what it touches can be looked at' };
}
