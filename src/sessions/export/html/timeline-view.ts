import type { CallEntry, SessionDocument, Span } from '../session-document.ts';
import { durationText } from '../amounts.ts';
import { type TimeScale, timeScaleOf } from '../time-scale.ts';
import { callLine } from './call-line.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';
import { tokenChart } from './token-chart.ts';

const LANES: readonly { readonly kind: Span['kind']; readonly label: string }[] = [
  { kind: 'model', label: 'Model' },
  { kind: 'read', label: 'Reads' },
  { kind: 'write', label: 'Writes' },
  { kind: 'command', label: 'Commands' },
  { kind: 'plan', label: 'Plan' },
  { kind: 'other', label: 'Others' },
  { kind: 'person', label: 'Questions' },
];
const HEAD = 18;
const LANE = 22;
const BAR = 14;
const TICK_STEPS_MS = [10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 21_600_000];
const MAX_TICKS = 7;
/** Bars below this share of the strip are drawn as strokes. */
const THIN = 0.004;
const FLAG_ROOM = 0.035;
/** With more spans than this they are drawn finer. */
const MANY = 600;

/** The session as a picture: a lane for each kind, a bar for each span, its length the time that it took. */
export function timelineView(document: SessionDocument): SafeHtml | null {
  const { spans, isEstimated } = document.timeline;
  if (spans.length === 0) return null;
  const scale = timeScaleOf(spans);
  const lanes = LANES.filter(({ kind }) => spans.some((span) => span.kind === kind));
  const height = HEAD + lanes.length * LANE;
  const calls = new Map(document.entries.flatMap((entry) => (entry.type === 'call' ? [[entry.number, entry]] : [])));
  const chart = tokenChart(document, scale);
  return html`<section class="timeline" aria-label="Timeline">
<div class="strip">
<div class="lane-names" aria-hidden="true">${lanes.map(({ kind, label }) => html`<span class="lane-name ${kind}">${label}</span>`)}${chart?.names ?? null}</div>
<div class="strip-scroll"><div class="strip-wide">
<svg class="lanes${spans.length > MANY ? ' dense' : ''}" height="${height + 20}" role="group" aria-label="What ran when; arrow keys go from one to the next">
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2" height="6"/></pattern></defs>
${scale.gaps.map((gap) => gapView(gap, height))}${lanes.map((_lane, i) => html`<line class="rail" x1="0" x2="100%" y1="${railAt(i)}" y2="${railAt(i)}"/>`)}
${promptFlags(document, scale, height)}${ticks(scale, spans, height)}
${spans.map((span) => spanView(span, { scale, lane: lanes.findIndex(({ kind }) => kind === span.kind), call: calls.get(span.call ?? -1) }))}
</svg>${chart?.picture ?? null}
</div></div></div>
<div class="strip-foot"><p class="readout" aria-live="polite" data-idle="Hover over a bar, or go along with the arrow keys; a click goes to its place below.">${isEstimated ? 'This session tells no times: the lengths of the model’s bars are guessed.' : 'Length is time.'}</p>
<div class="zoom" role="group" aria-label="Zoom"><button type="button" data-zoom="out" aria-label="Narrower">−</button><button type="button" data-zoom="in" aria-label="Wider">+</button></div></div>
</section>`;
}

/** A place as an attribute of a picture: three digits are a hundredth of a pixel. */
export function percent(place: number): string {
  return `${(place * 100).toFixed(3).replace(/\.?0+$/, '')}%`;
}

function railAt(lane: number): number {
  return HEAD + lane * LANE + LANE / 2;
}

interface SpanFacts {
  readonly scale: TimeScale;
  readonly lane: number;
  readonly call: CallEntry | undefined;
}

function spanView(span: Span, { scale, lane, call }: SpanFacts): SafeHtml {
  const from = scale.place(span.startMs);
  const width = Math.max(0, scale.place(span.endMs) - from);
  const target = call === undefined ? `t${span.turn}` : `c${call.number}`;
  const y = railAt(lane) - BAR / 2;
  const marks = `${span.kind}${span.isFailure ? ' failed' : ''}${call?.isUndone === true ? ' undone' : ''}`;
  const isThin = width < THIN;
  const mark = span.isFailure
    ? html`<circle cx="${percent(from + width / 2)}" cy="${isThin ? railAt(lane) : y}" r="3.5"/>`
    : null;
  return html`<a class="span ${marks}${isThin ? ' thin' : ''}" href="#${target}" tabindex="-1"><title>${wordsOf(span, call)}</title><rect x="${percent(from)}" y="${y}" width="${percent(Math.max(width, 0.0001))}" height="${BAR}" rx="2"/>${mark}</a>
`;
}

function wordsOf({ kind, turn, startMs, endMs }: Span, call: CallEntry | undefined): string {
  const took = durationText(endMs - startMs);
  if (kind === 'model') return `Model, turn ${turn} · ${took}`;
  if (call === undefined) return took;
  return kind === 'person' ? `${call.name} waited ${took} for an answer` : callLine(call);
}

/** As many as can be told apart. */
function promptFlags({ entries, timeline }: SessionDocument, scale: TimeScale, height: number): readonly SafeHtml[] {
  let lastPlace = -1;
  return entries.flatMap((entry) => {
    if (entry.type !== 'prompt' || entry.atMs === null || timeline.beganAtMs === null) return [];
    const place = scale.place(entry.atMs - timeline.beganAtMs);
    if (place - lastPlace < FLAG_ROOM) return [];
    lastPlace = place;
    const flag = html`<text x="${percent(place)}" dx="4" y="11">${entry.number}</text>`;
    return [
      html`<a class="flag" href="#p${entry.number}" tabindex="-1"><title>Prompt ${entry.number}</title><line x1="${percent(place)}" x2="${percent(place)}" y1="0" y2="${height}"/>${flag}</a>`,
    ];
  });
}

function gapView(
  { from, to, durationMs }: { readonly from: number; readonly to: number; readonly durationMs: number },
  height: number,
): SafeHtml {
  return html`<g class="gap"><title>Nothing ran for ${durationText(durationMs)}</title><rect x="${percent(from)}" y="${HEAD}" width="${percent(to - from)}" height="${height - HEAD}" fill="url(#hatch)"/></g>`;
}

/** Round times, as many as have room. */
function ticks(scale: TimeScale, spans: readonly Span[], height: number): readonly SafeHtml[] {
  const lastMs = spans.reduce((last, { endMs }) => Math.max(last, endMs), 0);
  const step = TICK_STEPS_MS.find((ms) => scale.busyMs / ms <= MAX_TICKS) ?? 86_400_000;
  const shown: SafeHtml[] = [];
  let lastPlace = -1;
  for (let ms = 0; ms <= lastMs && shown.length < 40; ms += step * Math.max(1, Math.floor(lastMs / step / 2000))) {
    const place = scale.place(ms);
    if (place - lastPlace < 0.1 || place > 0.94) continue;
    lastPlace = place;
    shown.push(
      html`<g class="tick"><line x1="${percent(place)}" x2="${percent(place)}" y1="${height}" y2="${height + 4}"/><text x="${percent(place)}" y="${height + 16}" text-anchor="${ms === 0 ? 'start' : 'middle'}">${ms === 0 ? '0' : durationText(ms).replace('.0 s', ' s')}</text></g>`,
    );
  }
  return shown;
}
