import { createHash } from 'node:crypto';
import { pageFiles } from '../page-files.ts';
import { leftWords, partsOf } from '../left-behind.ts';
import type { Entry, SessionDocument } from '../session-document.ts';
import { entryView } from './entry-view.ts';
import { pageHead, titleOf } from './page-head.ts';
import { html, type SafeHtml, trustedHtml } from '../../../core/safe-html.ts';
import { filesView, sideView } from './side-view.ts';
import { timelineView } from './timeline-view.ts';

/** A session as one page that needs nothing else: no request leaves it, and nothing runs in it but our own script. */
export function renderPage(document: SessionDocument): string {
  const { style, script } = pageFiles();
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${trustedHtml(policy)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><title>${titleOf(document)} · wield</title><style>${trustedHtml(style)}</style></head>
<body><a class="skip" href="#transcript">To the transcript</a>
${pageHead(document)}${timelineView(document)}
<div class="bar" role="search"><label class="search"><span class="visually-hidden">Search</span><input type="search" placeholder="Search" aria-keyshortcuts="/" autocomplete="off" spellcheck="false"></label><button type="button" data-step="-1" aria-label="Previous match">↑</button><button type="button" data-step="1" aria-label="Next match">↓</button><output class="matches" aria-live="polite"></output><span class="bar-space"></span><button type="button" data-fold="open">Unfold all</button><button type="button" data-fold="close">Fold all</button></div>
<div class="columns"><main id="transcript">${transcript(document)}${filesView(document)}</main>${sideView(document)}</div>
<footer class="foot">Exported by wield from session ${document.id}. Keys are masked as far as they look like keys.</footer>
<script>${trustedHtml(script)}</script></body></html>
`.markup;
}

/** What was left behind is folded. The first entry of each turn carries its anchor. */
function transcript({ entries }: SessionDocument): readonly SafeHtml[] {
  const anchored = { turn: 0 };
  return partsOf(entries).flatMap((part) => {
    const views = part.entries.flatMap((entry) => anchoredView(entry, anchored));
    if (!part.isRewound) return views;
    return [html`<details class="entry left"><summary>${leftWords(part)}</summary>${views}</details>`];
  });
}

function anchoredView(entry: Entry, anchored: { turn: number }): readonly SafeHtml[] {
  const view = entryView(entry);
  if (view === null) return [];
  const turn = entry.type === 'prompt' ? 0 : entry.turn;
  if (turn <= anchored.turn) return [view];
  anchored.turn = turn;
  return [html`<span class="anchor" id="t${turn}"></span>${view}`];
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
