import { displayLine, displayText } from '../../core/display-text.ts';
import type { Difference } from '../../core/first-difference.ts';
import { STEADY_RULES } from '../../core/steady-rules.ts';
import { type CallReport, firstDivergence, type PromptReport, type ReplayReport } from './replay-report.ts';

/** What a replay came to, for a person: the first divergence on top, then the rest in short. */
export function renderReplay(report: ReplayReport): string {
  const { calls, prompts, notes } = report;
  const different = calls.filter(({ outcome }) => outcome === 'different');
  const first = firstDivergence(report);
  const lines = [
    `session ${report.id}: ${first === null ? 'the same again' : 'it went otherwise'}`,
    ...(first === null ? [] : [isCall(first) ? renderCall(first) : renderPrompt(first)]),
    ...(different.length > 1 ? [`Further calls that differ: ${different.slice(1).map(nameOf).join(', ')}`] : []),
    countsOf(report),
    ...skippedLines(calls),
    ...prompts.flatMap(({ prompt, skipped }) =>
      skipped === null ? [] : [`turn ${prompt}: events were not compared, since ${skipped}`],
    ),
    ...rulesLine(calls),
    ...notes,
  ];
  return displayText(lines.join('\n'));
}

/** The same as data. */
export function replayAsJson(report: ReplayReport): object {
  const used = usedRules(report.calls);
  return {
    session_id: report.id,
    outcome: firstDivergence(report) === null ? 'equal' : 'different',
    first_divergence: firstDivergence(report),
    calls: report.calls,
    turns: report.prompts,
    rules: STEADY_RULES.filter(({ name }) => used.has(name)).map(({ name, covers }) => ({ name, covers })),
    notes: report.notes,
  };
}

function isCall(divergence: CallReport | PromptReport): divergence is CallReport {
  return 'tool' in divergence;
}

function renderCall({ prompt, id, tool, what, difference }: CallReport): string {
  return `turn ${prompt}, call ${id}, ${tool}: ${what === 'result' ? 'its result' : 'what it did to files'} differs${texts(difference)}`;
}

function renderPrompt({ prompt, difference }: PromptReport): string {
  return `turn ${prompt}: its events differ${texts(difference)}`;
}

function texts(difference: Difference | null): string {
  if (difference === null) return '';
  return ` from line ${difference.line}\n  recorded: ${difference.expected}\n  replayed: ${difference.actual}`;
}

function countsOf({ calls, prompts }: ReplayReport): string {
  const count = (outcome: CallReport['outcome']): number => calls.filter((call) => call.outcome === outcome).length;
  const [equal, different, skipped] = [count('equal'), count('different'), count('skipped')];
  return `${prompts.length} ${prompts.length === 1 ? 'turn' : 'turns'}, ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}: ${equal} equal, ${different} different, ${skipped} not compared`;
}

function skippedLines(calls: readonly CallReport[]): readonly string[] {
  return calls.flatMap((call) => (call.skipped === null ? [] : [`not compared: ${nameOf(call)}, since ${call.skipped}`]));
}

function rulesLine(calls: readonly CallReport[]): readonly string[] {
  const used = usedRules(calls);
  if (used.size === 0) return [];
  const named = STEADY_RULES.filter(({ name }) => used.has(name)).map(
    ({ name, covers }) => `${name} (${covers}; ${used.get(name)} calls)`,
  );
  return [`Equal but for: ${named.join('; ')}`];
}

function usedRules(calls: readonly CallReport[]): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const rule of calls.flatMap(({ rules }) => rules)) used.set(rule, (used.get(rule) ?? 0) + 1);
  return used;
}

function nameOf({ id, tool, prompt }: CallReport): string {
  return `turn ${prompt}, ${id}, ${displayLine(tool)}`;
}
