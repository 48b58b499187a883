import type { FileDiff } from '../session-document.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

/** A file's diff: its name, its counts, and its lines, coloured by what they do. Runs of like lines are one element: a page may hold many. */
export function diffView({ path, added, removed, diff }: FileDiff): SafeHtml {
  return html`<figure class="diff"><figcaption><bdi>${path}</bdi>${countsView(added, removed)}</figcaption><pre tabindex="0">${runsOf(diff).map(({ mark, lines }) => html`<span class="${mark}">${lines.join('\n')}\n</span>`)}</pre></figure>`;
}

export function countsView(added: number, removed: number): SafeHtml | null {
  if (added + removed === 0) return null;
  return html`<span class="counts"><span class="add">+${added}</span> <span class="del">−${removed}</span></span>`;
}

interface Run {
  readonly mark: string;
  readonly lines: readonly string[];
}

function runsOf(lines: readonly string[]): readonly Run[] {
  const runs: { readonly mark: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const mark = markOf(line);
    const last = runs.at(-1);
    if (last?.mark === mark) last.lines.push(line);
    else runs.push({ mark, lines: [line] });
  }
  return runs;
}

function markOf(line: string): string {
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'del';
  return line.startsWith(' ') || line === '' ? 'same' : 'hunk';
}
