import type { Comparison } from '../evaluation/compare.ts';
import { chanceText, intervalText, pointsInterval, pointsText, shareText, verdictText } from '../evaluation/figures.ts';
import type { EvaluationReport, WordingScore } from '../evaluation/report.ts';

/** An evaluation in lines, for people. */
export function evaluationLines(report: EvaluationReport): readonly string[] {
  const { model, tasks, rounds, seed, toolNames, usage, cost, wordings, comparison, notices } = report;
  const price = cost === null ? '' : `, about $${cost.toFixed(2)} by list prices`;
  return [
    `${model}: ${tasks} tasks × ${rounds}, tool names in ${toolNames}, seed ${seed}`,
    `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} tokens in, ${usage.outputTokens} out${price}`,
    ...notices,
    ...wordings.flatMap((score) => ['', ...scoreLines(score, wordings.length > 1)]),
    ...(comparison === null ? [] : ['', ...comparisonLines(comparison)]),
  ];
}

function scoreLines(
  { wording, rightTool, rightArguments, byTool, byLanguage, confusion, mistakes, unanswered }: WordingScore,
  isOneOfTwo: boolean,
): readonly string[] {
  const width = Math.max(4, ...byTool.map(({ tool }) => tool.length));
  const languages = byLanguage.map(
    (row) => `${row.language} ${shareText(row.rightTool)} (${row.rightTool.right} of ${row.rightTool.count})`,
  );
  return [
    ...(isOneOfTwo ? [`Wording: ${wording}`] : []),
    `Right tool: ${rightTool.right} of ${rightTool.count}, ${shareText(rightTool)} (95 % interval ${intervalText(rightTool.interval)}, Wilson)`,
    `Right arguments, where the tool was right: ${rightArguments.right} of ${rightArguments.count}, ${shareText(rightArguments)}`,
    `By language: ${languages.join(', ')}`,
    ...(unanswered === 0 ? [] : [`No answer: ${unanswered}; these count neither as right nor as wrong.`]),
    '',
    `${'Tool'.padEnd(width)}  Tasks  Right tool  95 % interval  Arguments`,
    ...byTool.map((row) =>
      [
        row.tool.padEnd(width),
        String(row.rightTool.count).padStart(5),
        shareText(row.rightTool).padStart(10),
        intervalText(row.rightTool.interval).padStart(13),
        `${row.rightArguments.right} of ${row.rightArguments.count}`,
      ].join('  '),
    ),
    ...confusionLines(confusion),
    ...mistakes
      .filter(({ fault }) => fault !== null)
      .slice(0, MAX_FAULTS)
      .map(({ id, fault }) => `  ${id}: ${fault}`),
  ];
}

const MAX_FAULTS = 12;

/** Only what went wrong; the whole matrix is in the page and in the JSON. */
function confusionLines({ rows, columns, counts }: WordingScore['confusion']): readonly string[] {
  const wrong = rows.flatMap((row, i) => {
    const total = (counts[i] ?? []).reduce((sum, count) => sum + count, 0);
    return columns.flatMap((column, j) => {
      const count = counts[i]?.[j] ?? 0;
      return row === column || count === 0 ? [] : [{ text: `  ${row} → ${column}: ${count} of ${total}`, count }];
    });
  });
  if (wrong.length === 0) return [];
  return ['', 'Taken for another:', ...wrong.toSorted((a, b) => b.count - a.count).map(({ text }) => text)];
}

function comparisonLines({ first, second, pairs, measures, byTool }: Comparison): readonly string[] {
  const [main] = measures;
  return [
    `${second} compared with ${first}, ${pairs} pairs:`,
    ...measures.map(
      ({ measure, difference, interval, onlyFirst, onlySecond, chance, test }) =>
        `  ${measure}: ${pointsText(difference)} points (95 % interval ${pointsInterval(interval)}, paired bootstrap); only ${first} right ${onlyFirst}, only ${second} right ${onlySecond}; ${test}, ${chanceText(chance)}`,
    ),
    ...byTool
      .filter(({ onlyFirst, onlySecond }) => onlyFirst + onlySecond > 0)
      .map(
        ({ tool, difference, onlyFirst, onlySecond, chance }) =>
          `  ${tool}: ${pointsText(difference)} points (only ${first} ${onlyFirst}, only ${second} ${onlySecond}; ${chanceText(chance)} after Holm)`,
      ),
    ...(main === undefined ? [] : [verdictText(main, first, second)]),
  ];
}
