import type { Decision, PermissionRule, RuleScope } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';

const RULE = /^([A-Za-z][\w-]*)(?:\((.*)\))?$/s;

/** Rule text as it is written and shown: `Bash(npm test)`, `ReadFile`. */
export function renderRule({ tool, specifier }: Pick<PermissionRule, 'tool' | 'specifier'>): string {
  return specifier === null ? tool : `${tool}(${specifier})`;
}

/**
 * Reads a rule. A specifier is understood for Bash, where it is the exact command.
 * Returns why a rule is not one; such a rule matches nothing.
 */
export function parseRule(
  text: string,
  { behavior, scope, origin }: { readonly behavior: Decision; readonly scope: RuleScope; readonly origin: string },
  tools: readonly Tool[],
): PermissionRule | { readonly fault: string } {
  const [, name = '', specifier = null] = RULE.exec(text.trim()) ?? [];
  const tool = tools.find((candidate) => candidate.name === name || candidate.aliases?.snakeCase === name);
  if (tool === undefined) return { fault: `The rule "${text}" (${origin}) names no tool; it matches nothing.` };
  if (specifier !== null && tool.category !== 'shell') {
    return { fault: `The rule "${text}" (${origin}) has a pattern, which only Bash rules can have so far; it matches nothing.` };
  }
  if (specifier === null && tool.isDestructive && behavior === 'allow') {
    return {
      fault: `The rule "${text}" (${origin}) would allow everything that ${tool.name} can do; name what, as in ${tool.name}(npm test). It matches nothing.`,
    };
  }
  return { behavior, tool: tool.name, specifier: specifier?.trim() ?? null, scope, origin };
}

/** Splits a list of rules at commas and spaces outside parentheses. */
export function splitRules(text: string): string[] {
  return (text.match(/[^\s,(]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? []).filter((rule) => rule !== '');
}

/** True where a rule speaks of this call. */
export function ruleMatches(rule: PermissionRule, tool: Tool, subject: string): boolean {
  return rule.tool === tool.name && (rule.specifier === null || rule.specifier === subject.trim());
}
