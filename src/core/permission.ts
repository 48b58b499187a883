import type { ResolvedFootprint } from './footprint.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export type Decision = 'allow' | 'ask' | 'deny';
export type RuleScope = 'flag' | 'session' | 'project' | 'user';

/** `Bash(npm test)` or `Read`: a tool, and for some tools what of it. `origin` tells a person where the rule stands. */
export interface PermissionRule {
  readonly behavior: Decision;
  readonly tool: string;
  readonly specifier: string | null;
  readonly scope: RuleScope;
  readonly origin: string;
}

/** What about a part made the policy decide so. `outside`: beyond the workspace. */
export type DecisionCause = 'reads' | 'writes' | 'destructive' | 'outside' | 'protected' | 'secret' | 'mode' | 'rule' | 'plan';

/** One thing that a call touches, and what was decided about it. */
export interface DecisionPart {
  readonly text: string;
  readonly decision: Decision;
  readonly cause: DecisionCause;
  readonly because: string;
  readonly rule?: PermissionRule;
}

/** What the policy says of one call. The strictest part decides. */
export interface Judgement {
  readonly decision: Decision;
  readonly because: string;
  readonly parts: readonly DecisionPart[];
  /** Rules that would let the same thing pass next time; none where every call must ask. */
  readonly offers: readonly PermissionRule[];
  readonly footprint: ResolvedFootprint;
}

/** A person's answer to a question. `editedInput` is validated and judged again. */
export type PermissionAnswer =
  | {
      readonly type: 'allow';
      readonly scope: 'once' | 'session' | 'project' | 'user';
      readonly rule?: PermissionRule;
      readonly editedInput?: unknown;
    }
  | { readonly type: 'deny'; readonly reason?: string };
