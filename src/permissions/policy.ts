import type { Footprint, Resource, ResolvedFootprint } from '../core/footprint.ts';
import { partReason } from '../core/part-reason.ts';
import {
  type Decision,
  type DecisionPart,
  type Grant,
  type Judgement,
  type PermissionRule,
  UNCONFINED,
} from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import { createLocalGit } from '../host/git/git.ts';
import { DenialNotes } from './denial-notes.ts';
import { offersFor } from './find-offers.ts';
import { type Considered, type Gate, isCommand, type PolicyOptions } from './gate.ts';
import { considerRead, considerWrite, type Use } from './judge-files.ts';
import { lenientRealPath, lenientRealPathIn } from './lenient-real-path.ts';
import { RepositoryLooks } from './git/repository-looks.ts';
import { readyRule, speaksOfTool } from './rules/rule-pattern.ts';
import { renderRule } from './rules/rules.ts';

export type { PolicyOptions };

/** The gate: deny before ask before allow, over all that a call touches, by real path. */
export function createPolicy(options: PolicyOptions): PermissionPolicy {
  const place = { root: options.roots[0] ?? options.cwd, home: options.home };
  const rules = options.rules.map((rule) => readyRule(rule, place));
  const git = createLocalGit({ environment: options.environment ?? {}, workspace: place.root });
  const gate: Gate = { options, rules, repositories: new RepositoryLooks(git), denials: new DenialNotes() };
  const judgeWith = (added: readonly PermissionRule[], call: Call): Promise<Judgement> =>
    judge({ ...gate, rules: [...rules, ...added.map((rule) => readyRule(rule, place))] }, call);
  return {
    mode: options.mode,
    resolve: (tool, input) => footprintOf(gate, tool, input),
    judge: async (tool, input, resolved) => {
      const call: Call = {
        tool,
        subject: tool.subject(input),
        footprint: resolved ?? (await footprintOf(gate, tool, input)),
        written: isCommand(tool) ? EVERYTHING : tool.footprint(input, gate.options),
      };
      const judgement = await judge(gate, call);
      if (judgement.decision !== 'ask') return judgement;
      const offers = await offersFor(gate, call, (added) => judgeWith(added, call));
      return { ...judgement, offers };
    },
    remember: async (rule) => {
      rules.push(readyRule(rule, place));
      return rule.scope === 'project' || rule.scope === 'user' ? ((await options.store?.(rule)) ?? null) : null;
    },
    noteDenied: (command, denial) => gate.denials.note(command, denial),
  };
}

interface Call {
  readonly tool: Tool;
  readonly subject: string;
  readonly footprint: ResolvedFootprint;
  /** The same in the same order, before links were followed. */
  readonly written: Footprint;
}

const EVERYTHING: Footprint = { extent: 'everything', writes: true };

async function judge(gate: Gate, call: Call): Promise<Judgement> {
  const { considered, grant } = await consider(gate, call);
  const parts = considered.map(decide);
  const strictest = parts.toSorted((a, b) => STRICTNESS[b.decision] - STRICTNESS[a.decision])[0];
  return {
    decision: strictest?.decision ?? 'allow',
    because:
      strictest === undefined ? 'it touches nothing' : partReason(strictest, { count: parts.length, maxChars: MAX_NAME_CHARS }),
    parts,
    offers: [],
    grant,
  };
}

const MAX_NAME_CHARS = 60;
const STRICTNESS: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };

/** A deny rule holds against everything; an allow rule answers a question, but none about secrets, protected places or what is unclear. */
function decide({ part, rules }: Considered): DecisionPart {
  const rule =
    rules.find(({ behavior }) => behavior === 'deny') ??
    rules.find(({ behavior }) => behavior === 'ask') ??
    rules.find(({ behavior }) => behavior === 'allow');
  if (rule === undefined || part.decision === 'deny') return part;
  if (rule.behavior === 'allow' && !isAnswerable(part)) return part;
  // What asks anyway asks for its own reason.
  if (rule.behavior === part.decision) return { ...part, rule };
  const because = `the rule ${renderRule(rule)} (${rule.origin}) says so`;
  return { ...part, decision: rule.behavior, cause: 'rule', because, rule };
}

function isAnswerable({ decision, cause }: DecisionPart): boolean {
  return decision === 'ask' && cause !== 'secret' && cause !== 'protected' && cause !== 'unclear' && cause !== 'mode';
}

/** All that a call touches, and with what it runs where it is allowed. */
async function consider(gate: Gate, call: Call): Promise<{ readonly considered: readonly Considered[]; readonly grant: Grant }> {
  const { tool, subject, footprint } = call;
  if (isCommand(tool) && gate.options.elsewhere !== undefined)
    return {
      considered: (await forElsewhere()).considerElsewhere(gate, tool, subject),
      grant: { footprint, confinement: UNCONFINED },
    };
  if (isCommand(tool)) {
    const { considerCommand } = await forCommands();
    const { considered, confinement } = await considerCommand(gate, tool, subject);
    return { considered, grant: { footprint, confinement } };
  }
  const grant = { footprint, confinement: UNCONFINED };
  const rules = gate.rules.map(({ rule }) => rule).filter((rule) => rule.specifier === null && speaksOfTool(rule, tool));
  const whole = wholePart(gate, call);
  if (whole !== null || footprint.extent === 'everything')
    return { considered: [{ part: whole ?? everythingPart(gate, call), rules }], grant };
  const places = [
    ...(await Promise.all(usesOf(call, footprint, 'reads').map((use) => considerRead(gate, use)))),
    ...(await Promise.all(usesOf(call, footprint, 'writes').map((use) => considerWrite(gate, use)))),
  ];
  if (places.length === 0 && tool.isReadOnly)
    return {
      considered: [{ part: { text: subject, decision: 'allow', cause: 'reads', because: 'it touches nothing' }, rules }],
      grant,
    };
  const changesMore = !tool.isReadOnly && footprint.writes.length === 0;
  return { considered: [...places, ...(changesMore ? [{ part: everythingPart(gate, call), rules }] : [])], grant };
}

function usesOf({ tool, written }: Call, footprint: Listed, access: 'reads' | 'writes'): Use[] {
  return footprint[access].map((resource, i) => {
    const before = written.extent === 'listed' ? written[access][i] : undefined;
    return { tool, resource, ...(before?.kind === 'file' ? { written: before.path } : {}) };
  });
}

type Listed = Extract<ResolvedFootprint, { readonly extent: 'listed' }>;

/** What decides of a call as a whole, or null where its places do. */
function wholePart({ options }: Gate, { tool, subject: text }: Call): DecisionPart | null {
  if (tool.category === 'plan') return { text, decision: 'allow', cause: 'plan', because: 'it changes the plan only' };
  if (options.mode !== 'plan' || tool.isReadOnly) return null;
  const because = 'plan mode only reads; describe the change instead, and the person can leave plan mode';
  return { text, decision: 'deny', cause: 'mode', because };
}

function everythingPart({ options }: Gate, { tool, subject: text }: Call): DecisionPart {
  // That it only reads is what a server says of itself.
  if (tool.isReadOnly && tool.category !== 'mcp')
    return { text, decision: 'allow', cause: 'reads', because: `${tool.name} only reads` };
  if (options.mode === 'bypassPermissions')
    return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  return tool.isDestructive
    ? { text, decision: 'ask', cause: 'destructive', because: `${tool.name} can change anything` }
    : { text, decision: 'ask', cause: 'writes', because: `${tool.name} changes things` };
}

/** What judges commands is loaded with the first of them. */
const forCommands = () => import('./judge-command.ts');
const forElsewhere = () => import('./judge-elsewhere.ts');

async function footprintOf(gate: Gate, tool: Tool, input: unknown): Promise<ResolvedFootprint> {
  // What a name means elsewhere is not known, so no command is taken to only read.
  if (isCommand(tool) && gate.options.elsewhere !== undefined) return { extent: 'everything', writes: true };
  if (isCommand(tool)) {
    const { onlyReads, reportOn } = await forCommands();
    return { extent: 'everything', writes: !onlyReads(reportOn(gate, tool.subject(input))) };
  }
  const footprint: Footprint = tool.footprint(input, gate.options);
  if (footprint.extent === 'everything') return footprint;
  const [reads, writes] = await Promise.all([resolveAll(gate, footprint.reads), resolveAll(gate, footprint.writes)]);
  return { extent: 'listed', reads, writes };
}

function resolveAll({ options: { elsewhere } }: Gate, resources: readonly Resource[]): Promise<Resource[]> {
  const realPath = (path: string): Promise<string> =>
    elsewhere === undefined ? lenientRealPath(path) : lenientRealPathIn(elsewhere, path);
  return Promise.all(
    resources.map(async (resource) =>
      resource.kind === 'file' ? { kind: 'file', path: await realPath(resource.path) } : resource,
    ),
  );
}
