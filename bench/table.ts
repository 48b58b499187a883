import { type Figure, passes } from './figures.ts';

const COLUMNS = ['', 'unit', 'wield', 'min–max', 'floor', 'min–max', 'ratio', 'gate'];

/** The figures as a Markdown table that is also easy to read as it is. */
export function renderTable(figures: readonly Figure[]): string {
  const rows = figures.map(rowOf);
  const widths = COLUMNS.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(COLUMNS), rule, ...rows.map(line)].join('\n');
}

function rowOf(figure: Figure): string[] {
  const { label, unit, wield, floor, ratio, samples } = figure;
  return [
    label,
    unit,
    digits(wield),
    range(samples.wield),
    digits(floor),
    range(samples.floor),
    ratio.toFixed(2),
    gateOf(figure),
  ];
}

function gateOf(figure: Figure): string {
  const isPassed = passes(figure);
  return isPassed === null ? '' : `≤ ${figure.atMost} ${isPassed ? 'PASS' : 'FAIL'}`;
}

function range(samples: readonly number[]): string {
  return `${digits(Math.min(...samples))}–${digits(Math.max(...samples))}`;
}

/** Three digits that mean something, no more. */
function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
