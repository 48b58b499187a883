import type { Todo } from '../../../core/todo-list.ts';
import { costText, plural, usageText } from '../amounts.ts';
import { isSessionId } from '../../read-session.ts';
import type { AnswerEntry, CompactionEntry, Entry, ForkedFrom, PromptEntry, TurnEntry } from '../session-document.ts';
import { callView } from './call-view.ts';
import { imageView } from './content-view.ts';
import { prose } from './prose.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

const MAX_OPEN_PROMPT_CHARS = 3000;

/** One entry of the transcript; null where there is nothing to see. */
export function entryView(entry: Entry): SafeHtml | null {
  switch (entry.type) {
    case 'prompt':
      return promptView(entry);
    case 'thought':
      return html`<details class="entry thought"><summary>Thought</summary><div class="prose">${prose(entry.text)}</div></details>`;
    case 'answer':
      return answerView(entry);
    case 'call':
      return callView(entry);
    case 'turn':
      return turnView(entry);
    case 'todos':
      return entry.list.length === 0
        ? null
        : html`<details class="entry plan-mark"><summary>Plan: ${doneOf(entry.list)} of ${entry.list.length} done</summary>${todoList(entry.list)}</details>`;
    case 'compaction':
      return compactionView(entry);
    case 'rewound':
      return html`<p class="entry mark">Went back to ${entry.toPrompt === 0 ? 'the beginning' : html`the end of prompt <a href="#p${entry.toPrompt}">${entry.toPrompt}</a>`}</p>`;
    case 'forked':
      return html`<p class="entry mark">Forked here from ${sessionLink(entry.from)}; what stands above belongs to both</p>`;
    case 'asked_again':
      return html`<p class="entry mark">The answer broke off and was asked for again: ${entry.reason}</p>`;
    case 'error':
      return html`<div class="entry error" role="note"><strong>${entry.error.code}</strong> <span dir="auto">${entry.error.message}</span><p>${entry.error.remedy}</p></div>`;
    case 'end':
      return entry.outcome === 'done'
        ? null
        : html`<p class="entry mark stopped">${Object.hasOwn(ENDS, entry.outcome) ? ENDS[entry.outcome] : entry.outcome}</p>`;
  }
}

/** A plan, with a mark for the state of each step. */
export function todoList(list: readonly Todo[]): SafeHtml {
  return html`<ul class="todos">${list.map(({ content, status }) => html`<li class="${status}"><span class="todo-mark" aria-label="${status.replace('_', ' ')}"></span><span dir="auto">${content}</span></li>`)}</ul>`;
}

/** A session's name; it leads to its page, where that was exported beside this one under the name that it gets by itself. */
export function sessionLink({ id }: ForkedFrom): SafeHtml {
  return isSessionId(id) ? html`<a href="wield-${id}.html">${id}</a>` : html`<bdi>${id}</bdi>`;
}

export function doneOf(list: readonly Todo[]): number {
  return list.filter(({ status }) => status === 'completed').length;
}

const ENDS: Readonly<Record<Exclude<Extract<Entry, { type: 'end' }>['outcome'], 'done'>, string>> = {
  max_turns: 'Stopped at the limit of turns',
  budget: 'Stopped at the limit of cost',
  refused: 'The model refused',
  aborted: 'Stopped by the person',
  failed: 'Ended with an error',
};

function promptView({ number, content }: PromptEntry): SafeHtml {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const isLong = texts.reduce((sum, text) => sum + text.length, 0) > MAX_OPEN_PROMPT_CHARS;
  const shown = html`${texts.map((text) => html`<p class="said" dir="auto">${text}</p>`)}${content.flatMap((block) => (block.type === 'image' ? [imageView(block)] : []))}`;
  const body = isLong
    ? html`<details class="long-prompt"><summary>${texts[0]?.slice(0, 300) ?? ''}…</summary>${shown}</details>`
    : shown;
  return html`<section class="entry prompt" id="p${number}"><a class="prompt-number" href="#p${number}" aria-label="Prompt ${number}">${number}</a><div class="prompt-text">${body}</div></section>`;
}

function answerView({ text, state }: AnswerEntry): SafeHtml | null {
  if (text.trim() === '') return null;
  const mark =
    state === 'complete'
      ? null
      : html`<p class="mark">${state === 'cut' ? 'Cut off at the limit of its length' : 'It broke off here'}</p>`;
  return html`<div class="entry answer prose">${prose(text)}${mark}</div>`;
}

function turnView({ turn, usage, cost, stopReason }: TurnEntry): SafeHtml {
  const facts = [
    `turn ${turn}`,
    usageText(usage),
    cost === 0 ? null : costText(cost),
    stopReason === 'end_turn' || stopReason === 'tool_use' ? null : stopReason.replaceAll('_', ' '),
  ];
  return html`<p class="turn">${facts.filter((fact) => fact !== null).join(' · ')}</p>`;
}

function compactionView({ reason, summary, keptMessages, by }: CompactionEntry): SafeHtml {
  const who = by === 'model' ? 'A summary by the model' : 'What the record knows';
  return html`<details class="entry compaction"><summary>Compacted${reason === '' ? '' : ` (${reason})`}: ${plural(keptMessages, 'message')} stayed</summary><p class="aside-note">${who} stands for what came before.</p><div class="prose">${prose(summary)}</div></details>`;
}
