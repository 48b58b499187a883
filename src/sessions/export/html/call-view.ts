import { type ImageBlock, type TextBlock, textOf } from '../../../core/message.ts';
import type { CallEntry, PermissionMark, SubAgentWork } from '../session-document.ts';
import { workLines, workText } from '../sub-agent-lines.ts';
import { hasFailed } from '../time-spans.ts';
import { endOf } from './call-line.ts';
import { outputView } from './content-view.ts';
import { countsView, diffView } from './diff-view.ts';
import { html, type SafeHtml } from '../../../core/safe-html.ts';

/** A call with more lines than this is folded. */
const MAX_OPEN_LINES = 14;
/** What was read is seldom what a reader looks for. */
const MAX_OPEN_READ_LINES = 3;

/** A call: one line that says what and how it ended, and behind it all of it. */
export function callView(call: CallEntry): SafeHtml {
  const { number, name, kind, subject, isUndone, changes } = call;
  const marks = `${kind}${hasFailed(call) ? ' failed' : ''}${isUndone ? ' undone' : ''}`;
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const head = html`<span class="dot" aria-hidden="true"></span><span class="name">${name}</span><bdi class="subject">${oneLine(subject)}</bdi><span class="facts">${badges(call)}${countsView(added, removed)}${endOf(call).map((word) => html`<span class="fact">${word}</span>`)}</span>`;
  // `open` is the one attribute here that stands without a value.
  return isShort(call)
    ? html`<details class="entry call ${marks}" id="c${number}" open><summary>${head}</summary>${bodyOf(call)}</details>`
    : html`<details class="entry call ${marks}" id="c${number}"><summary>${head}</summary>${bodyOf(call)}</details>`;
}

function bodyOf(call: CallEntry): SafeHtml {
  const { changes, output, outcome } = call;
  const answer = outputView(call.kind === 'command' ? output.map(withoutFrame) : output);
  const isSaidByDiff = changes.length > 0 && outcome === 'succeeded';
  return html`<div class="body">${call.permission === null ? null : permissionView(call.permission)}${inputView(call)}${call.subAgent === null ? null : workView(call.subAgent)}${changes.map(diffView)}${
    isSaidByDiff && call.kind === 'write' ? html`<details class="more"><summary>Answer</summary>${answer}</details>` : answer
  }</div>`;
}

/** Of a command's answer what it printed; how it ended stands in the line above. */
function withoutFrame(block: TextBlock | ImageBlock): TextBlock | ImageBlock {
  if (block.type === 'image') return block;
  const inner = /^<output>\n([\s\S]*)\n<\/output>\n<exit_code>\d{1,3}<\/exit_code>$/.exec(block.text)?.[1];
  return inner === undefined ? block : { type: 'text', text: inner };
}

function inputView({ kind, subject, input, malformedInput, changes }: CallEntry): SafeHtml | null {
  if (malformedInput !== null)
    return html`<p class="aside-note">The model sent what is no JSON:</p><pre class="output" tabindex="0">${malformedInput}</pre>`;
  const json = JSON.stringify(input, null, 2);
  if (kind === 'command' && subject !== '') {
    const isAll = typeof input === 'object' && input !== null && Object.keys(input).length === 1;
    return html`<pre class="command" tabindex="0"><span class="prompt-sign" aria-hidden="true">$ </span>${subject}</pre>${isAll ? null : inputFold(json)}`;
  }
  return changes.length > 0 || json.length > 2 ? inputFold(json) : null;
}

function workView(work: SubAgentWork): SafeHtml {
  return html`<details class="more"><summary>A sub-agent: ${workText(work)}</summary><pre class="output" tabindex="0">${workLines(work).join('\n')}</pre></details>`;
}

function inputFold(json: string): SafeHtml {
  return html`<details class="more"><summary>Input</summary><pre class="output" tabindex="0">${json}</pre></details>`;
}

const DECIDERS = { rule: 'the rules', user: 'the person', hook: 'a hook', headless: 'the run without a person' } as const;
const DECISIONS = { allow: 'Allowed', deny: 'Denied', ask: 'Asked' } as const;

/** Who decided what, and why. */
export function permissionWords({ by, decision, because }: PermissionMark): string {
  return `${DECISIONS[decision] ?? decision} by ${DECIDERS[by] ?? by}${because === '' ? '' : `: ${because}`}`;
}

function permissionView(mark: PermissionMark): SafeHtml {
  return html`<p class="permission ${mark.decision === 'allow' ? 'allow' : 'deny'}">${permissionWords(mark)}</p>`;
}

function badges({ permission, isUndone }: CallEntry): readonly SafeHtml[] {
  return [
    ...(permission?.by === 'user'
      ? [html`<span class="badge">${permission.decision === 'allow' ? 'a person allowed it' : 'a person denied it'}</span>`]
      : []),
    ...(permission?.by === 'hook' ? [html`<span class="badge">by a hook</span>`] : []),
    ...(isUndone ? [html`<span class="badge">undone</span>`] : []),
  ].slice(0, 2);
}

function isShort({ output, changes, subject, kind }: CallEntry): boolean {
  if (output.some(({ type }) => type === 'image')) return true;
  if (kind === 'plan') return false;
  const shown = changes.length > 0 && kind === 'write' ? '' : textOf(output);
  const lines =
    shown.split('\n').length + subject.split('\n').length + changes.reduce((sum, { diff }) => sum + diff.length + 1, 0);
  return lines <= (kind === 'read' ? MAX_OPEN_READ_LINES : MAX_OPEN_LINES) && shown.length < 1500;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ⏎ ').slice(0, 300);
}
