import type { Footprint, Resource, ResolvedFootprint } from '../core/footprint.ts';
import { isWithin } from '../core/footprint.ts';
import {
  type Decision,
  type DecisionPart,
  type Judgement,
  type PermissionMode,
  type PermissionRule,
  UNCONFINED,
} from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import { realPathOf } from '../host/files/real-path.ts';
import { protection, secrecy } from './protected-paths.ts';
import { renderRule, ruleMatches } from './rules.ts';

export interface PolicyOptions {
  readonly mode: PermissionMode;
  readonly cwd: string;
  readonly home: string;
  /** Real paths that count as inside for reads and writes; the first is the workspace. */
  readonly roots: readonly string[];
  /** Real paths that may be read besides, such as the session's own output files. */
  readonly readableRoots: readonly string[];
  readonly rules: readonly PermissionRule[];
}

/** The gate: deny before ask before allow, over all that a call touches, by real path. */
export function createPolicy(options: PolicyOptions): PermissionPolicy {
  const rules = [...options.rules];
  return {
    mode: options.mode,
    resolve: (tool, input) => resolveFootprint(tool.footprint(input, options)),
    judge: async (tool, input, resolved) => {
      const footprint = resolved ?? (await resolveFootprint(tool.footprint(input, options)));
      return judge(options, { tool, subject: tool.subject(input), footprint }, rules);
    },
    remember: async (rule) => void rules.push(rule),
  };
}

interface Call {
  readonly tool: Tool;
  readonly subject: string;
  readonly footprint: ResolvedFootprint;
}

async function resolveFootprint(footprint: Footprint): Promise<ResolvedFootprint> {
  if (footprint.extent === 'everything') return footprint;
  const [reads, writes] = await Promise.all([resolveAll(footprint.reads), resolveAll(footprint.writes)]);
  return { extent: 'listed', reads, writes };
}

function resolveAll(resources: readonly Resource[]): Promise<Resource[]> {
  return Promise.all(
    resources.map(async (resource) =>
      resource.kind === 'file' ? { kind: 'file', path: await lenientRealPath(resource.path) } : resource,
    ),
  );
}

/** A path that cannot be resolved (a cycle of links, a locked folder) is judged as written; opening it will fail and say why. */
async function lenientRealPath(path: string): Promise<string> {
  return realPathOf(path).catch(() => path);
}

function judge(options: PolicyOptions, call: Call, rules: readonly PermissionRule[]): Judgement {
  const matching = rules.filter((rule) => ruleMatches(rule, call.tool, call.subject));
  const parts = partsOf(options, call).map((part) => applyRules(part, matching));
  const strictest = parts.toSorted((a, b) => STRICTNESS[b.decision] - STRICTNESS[a.decision])[0];
  const decision = strictest?.decision ?? 'allow';
  return {
    decision,
    because: strictest?.because ?? 'it touches nothing',
    parts,
    offers: decision === 'ask' ? offersFor(call, parts) : [],
    grant: { footprint: call.footprint, confinement: UNCONFINED },
  };
}

const STRICTNESS: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };

function partsOf(options: PolicyOptions, call: Call): DecisionPart[] {
  const { tool, subject, footprint } = call;
  if (tool.category === 'plan') return [{ text: subject, decision: 'allow', cause: 'plan', because: 'it changes the plan only' }];
  if (options.mode === 'plan' && !tool.isReadOnly) {
    return [
      {
        text: subject,
        decision: 'deny',
        cause: 'mode',
        because: 'plan mode only reads; describe the change instead, and the person can leave plan mode',
      },
    ];
  }
  if (footprint.extent === 'everything') return [judgeEverything(options, call)];
  const parts = [
    ...footprint.reads.map((resource) => judgeRead(options, resource)),
    ...footprint.writes.map((resource) => judgeWrite(options, tool, resource)),
  ];
  if (tool.isReadOnly || footprint.writes.length > 0) return parts;
  return [...parts, judgeEverything(options, call)];
}

function judgeEverything({ mode }: PolicyOptions, { tool, subject }: Call): DecisionPart {
  if (tool.isReadOnly) return { text: subject, decision: 'allow', cause: 'reads', because: `${tool.name} only reads` };
  const cause = tool.isDestructive ? 'destructive' : 'writes';
  if (mode === 'bypassPermissions')
    return { text: subject, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  return {
    text: subject,
    decision: 'ask',
    cause,
    because: tool.isDestructive ? `${tool.name} can change anything` : `${tool.name} changes things`,
  };
}

function judgeRead({ mode, home, roots, readableRoots }: PolicyOptions, resource: Resource): DecisionPart {
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'reads', because: `it reads from ${resource.kind}` };
  const { path } = resource;
  const text = `read ${path}`;
  if (readableRoots.some((root) => isWithin(path, root)))
    return { text, decision: 'allow', cause: 'reads', because: 'it is output of this session' };
  const secret = secrecy(path, home);
  if (secret !== null) return { text, decision: 'ask', cause: 'secret', because: secret };
  if (roots.some((root) => isWithin(path, root)))
    return { text, decision: 'allow', cause: 'reads', because: 'it is inside the workspace' };
  if (mode === 'bypassPermissions') return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  return { text, decision: 'ask', cause: 'outside', because: `${path} is outside the workspace` };
}

function judgeWrite({ mode, roots, home }: PolicyOptions, tool: Tool, resource: Resource): DecisionPart {
  if (resource.kind === 'job')
    return { text: resource.id, decision: 'allow', cause: 'writes', because: 'it is a job of this session' };
  if (resource.kind !== 'file')
    return { text: resource.kind, decision: 'ask', cause: 'writes', because: `it changes ${resource.kind}` };
  const { path } = resource;
  const text = `write ${path}`;
  const guarded = protection(path);
  if (guarded !== null) return { text, decision: 'ask', cause: 'protected', because: guarded };
  const secret = secrecy(path, home);
  if (secret !== null) return { text, decision: 'ask', cause: 'secret', because: secret };
  if (mode === 'bypassPermissions') return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  if (!roots.some((root) => isWithin(path, root)))
    return { text, decision: 'ask', cause: 'outside', because: `${path} is outside the workspace` };
  if (mode === 'acceptEdits' && !tool.isDestructive)
    return { text, decision: 'allow', cause: 'mode', because: 'edits in the workspace are accepted' };
  const cause = tool.isDestructive ? 'destructive' : 'writes';
  return { text, decision: 'ask', cause, because: `it changes ${path}` };
}

/** A deny rule holds against everything; an allow rule answers a question, but none about secrets, protected paths or the outside. */
function applyRules(part: DecisionPart, matching: readonly PermissionRule[]): DecisionPart {
  const rule =
    matching.find(({ behavior }) => behavior === 'deny') ??
    matching.find(({ behavior }) => behavior === 'ask') ??
    matching.find(({ behavior }) => behavior === 'allow');
  if (rule === undefined || part.decision === 'deny') return part;
  if (rule.behavior === 'allow' && !isAnswerable(part)) return part;
  return {
    ...part,
    decision: rule.behavior,
    cause: 'rule',
    because: `the rule ${renderRule(rule)} (${rule.origin}) says so`,
    rule,
  };
}

function isAnswerable({ decision, cause }: DecisionPart): boolean {
  return decision === 'ask' && (cause === 'writes' || cause === 'destructive' || cause === 'reads');
}

/** A rule for the session that covers just this: the exact command, or a tool that destroys nothing. */
function offersFor({ tool, subject }: Call, parts: readonly DecisionPart[]): PermissionRule[] {
  if (!parts.every((part) => part.decision === 'allow' || isAnswerable(part))) return [];
  const specifier = tool.isDestructive ? subject : null;
  if (specifier !== null && tool.category !== 'shell') return [];
  return [{ behavior: 'allow', tool: tool.name, specifier, scope: 'session', origin: 'this session' }];
}
