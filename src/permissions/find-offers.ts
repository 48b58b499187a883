import type { ResolvedFootprint } from '../core/footprint.ts';
import type { Judgement, PermissionRule, RuleOffer } from '../core/permission.ts';
import type { Tool } from '../core/tool.ts';
import { type Gate, isCommand } from './gate.ts';
import { commandCandidates, networkCandidates, pairedCandidates, placeCandidates } from './offers.ts';

/** A call that asks. */
export interface AskingCall {
  readonly tool: Tool;
  readonly subject: string;
  readonly footprint: ResolvedFootprint;
}

/** What the gate would say of the call, were these rules there too. */
export type JudgeWith = (rules: readonly PermissionRule[]) => Promise<Judgement>;

/** The rules that would let a call pass: by one where one is enough, else by two that are kept together. */
export async function offersFor(gate: Gate, call: AskingCall, judgeWith: JudgeWith): Promise<RuleOffer[]> {
  const { singles, pairs } = await candidatesFor(gate, call);
  const alone = await passing(
    singles.map((rule) => [rule]),
    judgeWith,
  );
  return alone.length > 0 ? alone : passing(pairs, judgeWith);
}

async function passing(candidates: readonly (readonly PermissionRule[])[], judgeWith: JudgeWith): Promise<RuleOffer[]> {
  const judged = await Promise.all(candidates.map(async (rules) => ({ rules, verdict: await judgeWith(rules) })));
  return judged.flatMap(({ rules, verdict }) => (verdict.decision === 'allow' ? offerOf(rules, verdict) : []));
}

function offerOf(rules: readonly PermissionRule[], { parts }: Judgement): RuleOffer[] {
  const [first, ...besides] = rules;
  if (first === undefined) return [];
  const covers = parts.flatMap(({ rule, text }) => (rule !== undefined && rules.includes(rule) ? [text] : []));
  return [{ ...first, covers, ...(besides.length === 0 ? {} : { besides }) }];
}

interface Candidates {
  readonly singles: readonly PermissionRule[];
  readonly pairs: readonly (readonly PermissionRule[])[];
}

async function candidatesFor(gate: Gate, { tool, subject, footprint }: AskingCall): Promise<Candidates> {
  if (!isCommand(tool)) {
    return { singles: placeCandidates(tool, footprint, gate.options.roots[0] ?? gate.options.cwd), pairs: [] };
  }
  const { reportOn } = await import('./judge-command.ts');
  const report = reportOn(gate, subject);
  const commands = commandCandidates(tool.name, subject, report);
  const networks = gate.denials.of(subject).network === true ? networkCandidates(report) : [];
  return { singles: [...commands, ...networks], pairs: pairedCandidates(commands, networks) };
}
