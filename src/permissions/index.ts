export { createPolicy, type PolicyOptions } from './policy.ts';
export type { ElsewhereFiles } from './gate.ts';
export { parseRule, renderRule } from './rules/rules.ts';
