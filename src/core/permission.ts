import type { ResolvedFootprint } from './footprint.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const;
/** How much passes without a question. */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What the gate, a rule or a hook says of a call. */
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
export type DecisionCause =
  | 'reads'
  | 'writes'
  | 'destructive'
  | 'runs'
  | 'network'
  | 'unclear'
  | 'outside'
  | 'protected'
  | 'secret'
  | 'mode'
  | 'rule'
  | 'plan';

/** The words of `--sandbox`: what commands may write where the machine can confine them. */
export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** In what a command runs, on a machine that can confine it: what was judged is all that it can reach. All paths are real ones. */
export interface Confinement {
  /** What it may write besides scratch space of its own; `anything` is no sandbox at all. */
  readonly writes: 'nothing' | 'workspace' | 'anything';
  readonly network: boolean;
  /** Files and folders beyond that it may write. */
  readonly writable: readonly string[];
  /** Files and folders that are hidden otherwise and that it may read. */
  readonly readable: readonly string[];
}

/** No sandbox at all: what a person does with their own rights. */
export const UNCONFINED: Confinement = { writes: 'anything', network: true, writable: [], readable: [] };

/** What a permitted call may touch. */
export interface Grant {
  readonly footprint: ResolvedFootprint;
  readonly confinement: Confinement;
}

/** One thing that a call touches, and what was decided about it. */
export interface DecisionPart {
  readonly text: string;
  readonly decision: Decision;
  readonly cause: DecisionCause;
  readonly because: string;
  readonly rule?: PermissionRule;
}

/** A rule that would let the same thing pass next time, and the parts of this call that it would cover. */
export interface RuleOffer extends PermissionRule {
  readonly covers: readonly string[];
  /** Rules that are kept along with it, where it alone would not let the call pass. */
  readonly besides?: readonly PermissionRule[];
}

/** What the policy says of one call. The strictest part decides. */
export interface Judgement {
  readonly decision: Decision;
  readonly because: string;
  readonly parts: readonly DecisionPart[];
  /** Rules that would let the same thing pass next time; none where every call must ask. */
  readonly offers: readonly RuleOffer[];
  /** What the call may touch where it is allowed, by the policy or by a person. */
  readonly grant: Grant;
}

/** A person's answer to a question. `editedInput` is validated and judged again. */
export type PermissionAnswer =
  | {
      readonly type: 'allow';
      readonly scope: 'once' | 'session' | 'project' | 'user';
      readonly rule?: PermissionRule;
      /** Kept along with the rule. */
      readonly besides?: readonly PermissionRule[];
      readonly editedInput?: unknown;
    }
  | { readonly type: 'deny'; readonly reason?: string };
