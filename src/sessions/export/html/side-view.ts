import { textOf } from '../../../core/message.ts';
import type { SessionDocument } from '../session-document.ts';
import { countsView, diffView } from './diff-view.ts';
import { doneOf, todoList } from './entry-view.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

const MAX_PROMPT_CHARS = 90;

/** Beside the transcript: the way through it, the plan, and the files. */
export function sideView({ entries, todos }: SessionDocument): SafeHtml {
  const prompts = entries.filter((entry) => entry.type === 'prompt');
  const links = prompts.map(
    ({ number, content, isRewound }) =>
      html`<li class="${isRewound ? 'left' : ''}"><a href="#p${number}"><span class="n">${number}</span><span dir="auto">${shortened(textOf(content))}</span></a></li>`,
  );
  const plan =
    todos.length === 0
      ? null
      : html`<section><h2>Plan <small>${doneOf(todos)}/${todos.length}</small></h2>${todoList(todos)}</section>`;
  return html`<aside class="side" aria-label="Overview"><nav aria-label="Prompts"><h2>Prompts</h2><ol class="prompts">${links}</ol></nav>${plan}</aside>`;
}

/** All that the session changed, at the end of the page. */
export function filesView({ files }: SessionDocument): SafeHtml | null {
  if (files.length === 0) return null;
  return html`<section class="files" id="files"><h2>What changed</h2>${files.map((file) => html`<details class="entry file"><summary><bdi class="subject">${file.path}</bdi><span class="facts">${countsView(file.added, file.removed)}</span></summary>${diffView(file)}</details>`)}</section>`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_PROMPT_CHARS ? `${line.slice(0, MAX_PROMPT_CHARS)}…` : line;
}
