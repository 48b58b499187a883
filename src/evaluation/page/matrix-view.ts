import { html, type SafeHtml } from '../../core/safe-html.ts';
import type { WordingScore } from '../report.ts';

const STEPS = 4;

/** A confusion matrix: what was asked for in rows, what was chosen in columns. */
export function matrixView({ rows, columns, counts }: WordingScore['confusion']): SafeHtml {
  const head = columns.map((column) => html`<th scope="col"><span>${column}</span></th>`);
  const body = rows.map((row, i) => {
    const total = (counts[i] ?? []).reduce((sum, count) => sum + count, 0);
    const cells = columns.map((column, j) => cell(counts[i]?.[j] ?? 0, total, { row, column }));
    return html`<tr><th scope="row">${row}</th>${cells}</tr>`;
  });
  return html`<p class="soft">A row is what a task asks for, a column is what was chosen.</p><div class="wide"><table class="matrix"><thead><tr><th></th>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function cell(count: number, total: number, { row, column }: { readonly row: string; readonly column: string }): SafeHtml {
  if (count === 0) return html`<td class="cell-0">·</td>`;
  const strength = Math.max(1, Math.ceil((count / total) * STEPS));
  const title = `${row}: ${count} of ${total} as ${column}`;
  return html`<td class="${row === column ? 'right' : 'wrong'}-${strength}" title="${title}">${count}</td>`;
}
