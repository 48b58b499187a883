import { isReported } from '../../../core/accounting.ts';
import { costText, countText, dateText, durationText, inputOf } from '../amounts.ts';
import type { SessionDocument } from '../session-document.ts';
import { timeScaleOf } from '../time-scale.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';
import { sessionLink } from './entry-view.ts';

const MAX_TITLE_CHARS = 160;

/** What a reader sees first: what was asked, when, of whom, and what it came to. */
export function pageHead(document: SessionDocument): SafeHtml {
  const { createdAt, models, cwd } = document;
  const facts = [createdAt === null ? null : dateText(createdAt), models.join(', '), cwd].filter(
    (fact) => fact !== null && fact !== '',
  );
  return html`<header class="head"><div class="head-top"><span class="brand"><span class="brand-mark" aria-hidden="true"></span>wield session</span><div class="themes" role="group" aria-label="Colours"><button type="button" data-theme-choice="auto" aria-pressed="true">Auto</button><button type="button" data-theme-choice="light" aria-pressed="false">Light</button><button type="button" data-theme-choice="dark" aria-pressed="false">Dark</button></div></div>
<h1 dir="auto">${titleOf(document)}</h1><p class="facts-line">${facts.map((fact) => html`<bdi>${fact ?? ''}</bdi>`)}${document.parent === null ? null : html`<bdi>forked from ${sessionLink(document.parent)} after prompt ${document.parent.prompt}</bdi>`}</p>
<dl class="figures">${figuresOf(document).map(({ name, value, detail }) => html`<div><dt>${name}</dt><dd>${value}</dd><dd class="detail">${detail}</dd></div>`)}</dl>
${document.notices.map((notice) => html`<p class="notice" role="note">${notice}</p>`)}</header>`;
}

/** The first prompt, shortened. */
export function titleOf({ title, id }: SessionDocument): string {
  const line = (title ?? id).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS)}…` : line;
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly detail: string | SafeHtml;
}

function figuresOf({ totals, files, timeline }: SessionDocument): readonly Figure[] {
  const { prompts, turns, calls, failures, usage, cost } = totals;
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const figures: Figure[] = [
    { name: 'Turns', value: String(turns), detail: `of ${prompts === 1 ? 'one prompt' : `${prompts} prompts`}` },
    {
      name: 'Calls',
      value: String(calls),
      detail: failures === 0 ? 'none failed' : html`<span class="bad">${failures} failed</span>`,
    },
    {
      name: 'Files',
      value: String(files.length),
      detail: html`<span class="add">+${added}</span> <span class="del">−${removed}</span>`,
    },
  ];
  const busy = timeline.isEstimated
    ? []
    : [{ name: 'At work', value: durationText(timeScaleOf(timeline.spans).busyMs), detail: 'model and tools' }];
  const tokens = isReported(usage)
    ? [
        {
          name: 'Tokens',
          value: countText(inputOf(usage) + usage.outputTokens),
          detail: `${countText(usage.outputTokens)} out, ${cachedShare(usage)} cached`,
        },
      ]
    : [];
  const price = costText(cost);
  return [...busy, ...figures, ...tokens, ...(price === null ? [] : [{ name: 'Cost', value: price, detail: 'by list price' }])];
}

function cachedShare(usage: SessionDocument['totals']['usage']): string {
  const input = inputOf(usage);
  return `${input === 0 ? 0 : Math.round((usage.cacheReadTokens / input) * 100)} %`;
}
