import type { ToolReport } from '../conformance/examination.ts';
import { CHECK_IDS } from '../conformance/finding.ts';

/** What was found of one tool, for people. */
export function reportLines(
  { origin, report }: { readonly origin: string; readonly report: ToolReport },
  isVerbose: boolean,
): readonly string[] {
  const { name, cost, verdicts } = report;
  const made = CHECK_IDS.filter((id) => verdicts[id].skipped === null);
  const count = made.reduce((sum, id) => sum + verdicts[id].findings.length, 0);
  const mark = count === 0 ? '✓' : '✗';
  const head = `${mark} ${name} (${origin}): ${made.length - made.filter((id) => verdicts[id].findings.length > 0).length} of ${made.length} checks kept, ${cost.bytes.anthropic} bytes in each request`;
  const lines = made.flatMap((id) =>
    verdicts[id].findings.flatMap(({ what, remedy }) => [`    ${id}: ${what}`, `      → ${remedy}`]),
  );
  const notChecked = skippedLines(verdicts)
    .filter(({ count: ids }) => isVerbose || ids > 1)
    .map(({ text }) => text);
  return [head, ...lines, ...notChecked];
}

/** What was not checked, by reason. One check that has nothing to look at is usual; many for one reason are worth a line. */
function skippedLines(verdicts: ToolReport['verdicts']): readonly { readonly text: string; readonly count: number }[] {
  const byReason = Map.groupBy(
    CHECK_IDS.filter((id) => verdicts[id].skipped !== null),
    (id) => verdicts[id].skipped,
  );
  return [...byReason].map(([why, ids]) => ({ text: `    not checked: ${ids.join(', ')}, since ${why}`, count: ids.length }));
}

/** All tools together: what they cost, and what was found. */
export function summaryLines(reports: readonly ToolReport[], count: number): readonly string[] {
  const total = (pick: (report: ToolReport) => number): number => reports.reduce((sum, report) => sum + pick(report), 0);
  const bytes = (['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const).map(
    (dialect) => `${dialect} ${total(({ cost }) => cost.bytes[dialect])}`,
  );
  const tools = `${reports.length} tool${reports.length === 1 ? '' : 's'}`;
  return [
    '',
    `${tools}, about ${total(({ cost }) => cost.estimatedTokens)} tokens in each request (bytes: ${bytes.join(', ')}).`,
    count === 0 ? 'Nothing was found.' : `${count} finding${count === 1 ? '' : 's'}.`,
  ];
}
