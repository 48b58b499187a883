import { displayText } from '../../core/display-text.ts';
import type { ImageBlock, TextBlock } from '../../core/message.ts';
import { costText, dateText, plural, usageText, withoutColours } from './amounts.ts';
import { callLine } from './html/call-line.ts';
import { permissionWords } from './html/call-view.ts';
import { leftWords, type Part, partsOf } from './left-behind.ts';
import { modelProse } from './model-prose.ts';
import type { CallEntry, Entry, FileDiff, SessionDocument } from './session-document.ts';
import { workLines, workText } from './sub-agent-lines.ts';

/** A session as Markdown that GitHub shows well: calls are folded. Text of the session that could be markup is quoted or escaped. */
export function renderMarkdown(document: SessionDocument): string {
  const { entries, files, todos, notices } = document;
  const parts = [
    `# ${heading(document.title ?? document.id)}`,
    factsOf(document),
    ...notices.map((notice) => `> ${plain(oneLine(notice))}`),
    ...partsOf(entries).flatMap(partTexts),
    ...(todos.length === 0
      ? []
      : [
          '## Plan',
          todos.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${plain(oneLine(content))}`).join('\n'),
        ]),
    ...(files.length === 0
      ? []
      : ['## What changed', ...files.map((file) => folded(`${file.path} (+${file.added} −${file.removed})`, diffText(file)))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function partTexts(part: Part): readonly string[] {
  const texts = part.entries.map(entryText).filter((text) => text !== null);
  return part.isRewound ? [folded(leftWords(part), texts.join('\n\n'))] : texts;
}

function factsOf({ id, parent, createdAt, models, totals }: SessionDocument): string {
  const facts = [
    `Session ${id}`,
    parent === null ? null : `forked from ${parent.id} after prompt ${parent.prompt}`,
    createdAt === null ? null : dateText(createdAt),
    models.join(', ') || null,
    plural(totals.turns, 'turn'),
    `${plural(totals.calls, 'call')}${totals.failures === 0 ? '' : `, ${totals.failures} failed`}`,
    usageText(totals.usage),
    costText(totals.cost),
  ];
  return plain(oneLine(facts.filter((fact) => fact !== null).join(' · ')));
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
    case 'rewound':
      return `*Went back to ${entry.toPrompt === 0 ? 'the beginning' : `the end of prompt ${entry.toPrompt}`}*`;
    case 'forked':
      return `*Forked here from ${plain(oneLine(entry.from.id))}; what stands above belongs to both*`;
    case 'asked_again':
      return `*The answer broke off and was asked for again: ${plain(oneLine(entry.reason))}*`;
    case 'error':
      return `> **${plain(oneLine(entry.error.code))}** ${plain(oneLine(`${entry.error.message} ${entry.error.remedy}`))}`;
    case 'end':
      return entry.outcome === 'done' ? null : `*The run ended: ${plain(oneLine(entry.outcome.replaceAll('_', ' ')))}*`;
  }
}

function callText(call: CallEntry): string {
  const { permission, input, malformedInput, kind, subject, changes, output } = call;
  const parts = [
    ...(permission === null ? [] : [plain(oneLine(permissionWords(permission)))]),
    kind === 'command' ? fenced(subject, 'sh') : fenced(malformedInput ?? JSON.stringify(input, null, 2), 'json'),
    ...(call.subAgent === null
      ? []
      : [plain(`A sub-agent: ${workText(call.subAgent)}`), fenced(workLines(call.subAgent).join('\n'), '')]),
    ...changes.flatMap((change) => [plain(oneLine(change.path)), diffText(change)]),
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
  return `<details><summary>${asHtml(oneLine(summary)).replaceAll('[', '&#91;').replaceAll('`', '&#96;')}</summary>\n\n${body}\n\n</details>`;
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown(text).replace(/\n$/, '')}\n${fence}`;
}

function prose(text: string): string {
  return modelProse(shown(text));
}

function quoted(text: string): string {
  return plain(text)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function heading(text: string): string {
  const line = oneLine(text);
  return plain(line.length > 120 ? `${line.slice(0, 120)}…` : line);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Text that means nothing to Markdown. */
function plain(text: string): string {
  return asHtml(text).replaceAll(/[\\`*_[\]|~#!]/g, '\\$&');
}

/** In a line of HTML, where Markdown's own escapes would be seen. */
function asHtml(text: string): string {
  return shown(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function shown(text: string): string {
  return displayText(text.replaceAll('\r\n', '\n'));
}
