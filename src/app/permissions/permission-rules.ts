import { AgentError } from '../../core/errors.ts';
import type { Decision, PermissionRule, RuleScope } from '../../core/permission.ts';
import type { Tool } from '../../core/tool.ts';
import { parseRule } from '../../permissions/rules/rules.ts';
import { createAllTools } from '../../tools/builtin.ts';
import { createTaskTool } from '../../tools/task.ts';
import type { SettingsLayer } from '../settings.ts';

/** Rules as they were written on the command line. */
export interface RuleFlags {
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
}

/**
 * All rules that hold at the start, from flags and settings, and what is wrong with rules to allow that are none.
 * Errors: AgentError where a rule that was to refuse or to ask is none: things would pass that were not meant to.
 */
export function permissionRules(
  flags: RuleFlags,
  layers: readonly SettingsLayer[],
): { readonly rules: readonly PermissionRule[]; readonly faults: readonly string[] } {
  // It checks its own input before anything typed sees it.
  const tools = [...createAllTools(), createTaskTool() as Tool];
  const parsed = writtenRules(flags, layers).map(({ text, head }) => ({ head, rule: parseRule(text, head, tools) }));
  const faulty = parsed.flatMap(({ head, rule }) => ('fault' in rule ? [{ head, fault: rule.fault }] : []));
  assertNothingUnguarded(faulty);
  return {
    rules: parsed.map(({ rule }) => rule).filter((rule) => 'tool' in rule),
    faults: faulty.map(({ fault }) => fault),
  };
}

interface RuleHead {
  readonly behavior: Decision;
  readonly scope: RuleScope;
  readonly origin: string;
}

function writtenRules(
  { allowedTools, disallowedTools }: RuleFlags,
  layers: readonly SettingsLayer[],
): { readonly text: string; readonly head: RuleHead }[] {
  const flagged = (behavior: Decision, origin: string) => (text: string) => ({
    text,
    head: { behavior, scope: 'flag', origin } as const,
  });
  return [
    ...allowedTools.map(flagged('allow', '--allowedTools')),
    ...disallowedTools.map(flagged('deny', '--disallowedTools')),
    ...layers.flatMap(({ settings, scope, origin }) =>
      (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
        (settings.permissions?.[behavior] ?? []).map((text) => ({ text, head: { behavior, scope, origin } })),
      ),
    ),
  ];
}

function assertNothingUnguarded(faulty: readonly { readonly head: RuleHead; readonly fault: string }[]): void {
  const refusing = faulty.filter(({ head }) => head.behavior !== 'allow');
  if (refusing.length === 0) return;
  throw new AgentError({
    code: refusing.some(({ head }) => head.scope === 'flag') ? 'misuse' : 'config_unreadable',
    message: `${refusing.map(({ fault }) => fault).join(' ')} What it was to refuse would pass.`,
    remedy: 'Mend the rule, or take it out.',
  });
}
