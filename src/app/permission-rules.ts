import type { PermissionRule } from '../core/permission.ts';
import { parseRule } from '../permissions/rules.ts';
import { createAllTools } from '../tools/builtin.ts';
import type { SettingsLayer } from './settings.ts';

/** Rules as they were written on the command line. */
export interface RuleFlags {
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
}

/** All rules that hold at the start, from flags and settings, and what is wrong with those that are none. */
export function permissionRules(
  { allowedTools, disallowedTools }: RuleFlags,
  layers: readonly SettingsLayer[],
): { readonly rules: readonly PermissionRule[]; readonly faults: readonly string[] } {
  const tools = createAllTools();
  const parsed = [
    ...allowedTools.map((text) => parseRule(text, { behavior: 'allow', scope: 'flag', origin: '--allowedTools' }, tools)),
    ...disallowedTools.map((text) => parseRule(text, { behavior: 'deny', scope: 'flag', origin: '--disallowedTools' }, tools)),
    ...layers.flatMap(({ settings, scope, origin }) =>
      (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
        (settings.permissions?.[behavior] ?? []).map((text) => parseRule(text, { behavior, scope, origin }, tools)),
      ),
    ),
  ];
  return {
    rules: parsed.filter((rule) => 'tool' in rule),
    faults: parsed.flatMap((rule) => ('fault' in rule ? [rule.fault] : [])),
  };
}
