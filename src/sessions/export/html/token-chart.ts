import { isReported } from '../../../core/accounting.ts';
import { costText, countText, inputOf } from '../amounts.ts';
import type { SessionDocument, TurnEntry } from '../session-document.ts';
import type { TimeScale } from '../time-scale.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

const WIDTH = 10_000;
const HEIGHT = 100;

interface Point {
  readonly x: number;
  readonly tokens: number;
  readonly cost: number | null;
}

/** How full the context was at each turn, as an area, and the cost so far, as a line. Null where no provider told of tokens. */
export function tokenChart(
  document: SessionDocument,
  scale: TimeScale,
): { readonly names: SafeHtml; readonly picture: SafeHtml } | null {
  const points = pointsOf(document, scale);
  const peak = Math.max(0, ...points.map(({ tokens }) => tokens));
  if (peak === 0) return null;
  const total = document.totals.cost;
  const cost = total === null || total === 0 ? null : html`<path class="cost-line" d="${costPath(points, total)}"/>`;
  return {
    names: html`<span class="chart-name">Context <b>${countText(peak)}</b></span>${total === null || total === 0 ? null : html`<span class="chart-name cost">Cost <b>${costText(total)}</b></span>`}`,
    picture: html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Tokens in the context at each turn, at most ${countText(peak)}"><path class="context-area" d="${areaPath(points, peak)}"/>${cost}</svg>`,
  };
}

function pointsOf({ entries, timeline }: SessionDocument, scale: TimeScale): readonly Point[] {
  const endOfTurn = new Map<number, number>();
  for (const span of timeline.spans) if (span.kind === 'model') endOfTurn.set(span.turn, span.endMs);
  let cost: number | null = 0;
  return entries
    .filter((entry): entry is TurnEntry => entry.type === 'turn' && isReported(entry.usage))
    .map((entry) => {
      cost = cost === null || entry.cost === null ? null : cost + entry.cost;
      const tokens = inputOf(entry.usage) + entry.usage.outputTokens;
      return { x: Math.round(scale.place(endOfTurn.get(entry.turn) ?? 0) * WIDTH), tokens, cost };
    });
}

function areaPath(points: readonly Point[], peak: number): string {
  const steps = points.map(({ x, tokens }) => `H${x}V${upTo(tokens / peak)}`).join('');
  return `M${points[0]?.x ?? 0} ${HEIGHT}${steps}H${WIDTH}V${HEIGHT}Z`;
}

function costPath(points: readonly Point[], total: number): string {
  return `M0 ${HEIGHT}${points.map(({ x, cost }) => `L${x} ${upTo((cost ?? 0) / total)}`).join('')}`;
}

function upTo(part: number): number {
  return Math.round(HEIGHT - Math.min(1, part) * (HEIGHT - 6));
}
