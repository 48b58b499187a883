import { displayText } from '../../core/display-text.ts';
import type { ImageBlock, TextBlock } from '../../core/message.ts';
import { costText, dateText, plural, usageText, withoutColours } from './amounts.ts';
import { callLine } from './html/call-line.ts';
import { permissionWords } from './html/call-view.ts';
import type { CallEntry, Entry, FileDiff, SessionDocument } from './session-document.ts';

/** A session as Markdown that GitHub shows well: calls are folded. Text of the session that could be markup is quoted or escaped. */
export function renderMarkdown(document: SessionDocument): string {
  const { entries, files, todos, notices } = document;
  const parts = [
    `# ${heading(document.title ?? document.id)}`,
    factsOf(document),
    ...notices.map((notice) => `> ${plain(notice)}`),
    ...entries.map(entryText).filter((text) => text !== null),
    ...(todos.length === 0
      ? []
      : [
          '## Plan',
          todos.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${plain(content)}`).join('\n'),
        ]),
    ...(files.length === 0
      ? []
      : ['## What changed', ...files.map((file) => folded(`${file.path} (+${file.added} −${file.removed})`, diffText(file)))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function factsOf({ id, createdAt, models, totals }: SessionDocument): string {
  const facts = [
    `Session ${id}`,
    createdAt === null ? null : dateText(createdAt),
    models.join(', ') || null,
    plural(totals.turns, 'turn'),
    `${plural(totals.calls, 'call')}${totals.failures === 0 ? '' : `, ${totals.failures} failed`}`,
    usageText(totals.usage),
    costText(totals.cost),
  ];
  return plain(facts.filter((fact) => fact !== null).join(' · '));
}

function entryText(entry: Entry): string | null {
  switch (entry.type) {
    case 'prompt':
      return [`## ${entry.number}. Prompt`, quoted(contentText(entry.content))].join('\n\n');
    case 'thought':
      return folded('Thought', prose(entry.text));
    case 'answer':
      return entry.text.trim() === '' ? null : prose(entry.text);
    case 'call':
      return callText(entry);
    case 'turn':
    case 'todos':
      return null;
    case 'compaction':
      return folded(`Compacted: ${plural(entry.keptMessages, 'message')} stayed`, prose(entry.summary));
    case 'asked_again':
      return `*The answer broke off and was asked for again: ${plain(entry.reason)}*`;
    case 'error':
      return `> **${plain(entry.error.code)}** ${plain(entry.error.message)} ${plain(entry.error.remedy)}`;
    case 'end':
      return entry.outcome === 'done' ? null : `*The run ended: ${plain(entry.outcome.replaceAll('_', ' '))}*`;
  }
}

function callText(call: CallEntry): string {
  const { permission, input, malformedInput, kind, subject, changes, output } = call;
  const parts = [
    ...(permission === null ? [] : [plain(permissionWords(permission))]),
    kind === 'command' ? fenced(subject, 'sh') : fenced(malformedInput ?? JSON.stringify(input, null, 2), 'json'),
    ...changes.flatMap((change) => [plain(change.path), diffText(change)]),
    fenced(contentText(output), ''),
  ];
  return folded(callLine(call), parts.join('\n\n'));
}

function diffText({ diff }: FileDiff): string {
  return fenced(diff.join('\n'), 'diff');
}

function contentText(content: readonly (TextBlock | ImageBlock)[]): string {
  return content
    .map((block) => (block.type === 'text' ? withoutColours(block.text) : `(a picture, ${block.mediaType})`))
    .join('\n');
}

function folded(summary: string, body: string): string {
  return `<details><summary>${plain(summary).replaceAll('\n', ' ')}</summary>\n\n${body}\n\n</details>`;
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown(text).replace(/\n$/, '')}\n${fence}`;
}

/** What a model wrote stays Markdown; only raw HTML in it, and addresses that run something, lose their meaning. Code is left alone. */
function prose(text: string): string {
  const parts = shown(text).split(/(^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\2[`~]*[ \t]*$)/m);
  const outside = (part: string): string =>
    part
      .replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;')
      .replaceAll(/\b(javascript|data|vbscript):/gi, '$1&#58;')
      .replaceAll('![', '!\\[');
  // Splitting with two groups gives text, block, fence, text, and so on.
  const joined = parts.map((part, i) => (i % 3 === 0 ? outside(part) : i % 3 === 1 ? part : '')).join('');
  return withClosedFence(joined);
}

/** A fence that is never closed would take in all that follows. */
function withClosedFence(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const fence = mark?.[1];
    if (fence === undefined) continue;
    if (open === null) open = fence;
    else if (fence.startsWith(open) && (mark?.[2] ?? '').trim() === '') open = null;
  }
  return open === null ? text : `${text}\n${open}`;
}

function quoted(text: string): string {
  return plain(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function heading(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return plain(line.length > 120 ? `${line.slice(0, 120)}…` : line);
}

/** Text that means nothing to Markdown. */
function plain(text: string): string {
  return shown(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~#!]/g, '\\$&');
}

function shown(text: string): string {
  return displayText(text.replaceAll('\r\n', '\n'));
}
