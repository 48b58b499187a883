import { html, type SafeHtml } from '../../../core/safe-html.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^(#{1,6}) +(\S.*)$/;
const ITEM = /^( {0,8})(?:[-*+]|\d{1,9}[.)]) +(\S.*)$/;
const QUOTE = /^> ?(.*)$/;
const ROW = /^\|.*\|\s*$/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})\s*$/;
const MAX_INLINE_CHARS = 20_000;

/**
 * The Markdown that models write, as markup: headings, lists, quotes, tables, code, emphasis. A text is never lost: what is no Markdown
 * stays as it stands. Raw HTML is text. An address is a link only where it is http or https, and the link shows all of it.
 */
export function prose(text: string): SafeHtml {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: SafeHtml[] = [];
  for (let at = 0; at < lines.length; ) {
    const { block, end } = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = end;
  }
  return html`${blocks}`;
}

interface Block {
  readonly block: SafeHtml | null;
  readonly end: number;
}

function blockAt(lines: readonly string[], at: number): Block {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { block: null, end: at + 1 };
  const [, fence, language = ''] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return codeBlock(lines, at, { fence, language });
  const heading = HEADING.exec(line);
  if (heading !== null)
    return { block: html`<h4 class="h${heading[1]?.length ?? 1}">${inline(heading[2] ?? '')}</h4>`, end: at + 1 };
  if (RULE.test(line)) return { block: html`<hr>`, end: at + 1 };
  if (ITEM.test(line)) return list(lines, at);
  const end = endOf(lines, at, QUOTE);
  if (end > at) return { block: html`<blockquote>${prose(unquoted(lines.slice(at, end)))}</blockquote>`, end };
  const tableEnd = endOf(lines, at, ROW);
  if (tableEnd > at + 1) return { block: table(lines.slice(at, tableEnd)), end: tableEnd };
  return paragraph(lines, at);
}

function endOf(lines: readonly string[], at: number, form: RegExp): number {
  let end = at;
  while (form.test(lines[end] ?? '')) end++;
  return end;
}

function unquoted(lines: readonly string[]): string {
  // One level less each time, and so to an end; a deep one is rare, and a hostile one is cut here.
  return lines.map((line) => (QUOTE.exec(line)?.[1] ?? '').replace(/^(?:> ?){4,}/, '')).join('\n');
}

function codeBlock(
  lines: readonly string[],
  at: number,
  { fence, language }: { readonly fence: string; readonly language: string },
): Block {
  let end = at + 1;
  while (end < lines.length && !isClosing(lines[end] ?? '', fence)) end++;
  return {
    block: html`<pre class="code" tabindex="0" data-language="${language.trim()}">${lines.slice(at + 1, end).join('\n')}</pre>`,
    end: end + 1,
  };
}

function isClosing(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
}

function list(lines: readonly string[], at: number): Block {
  const isOrdered = /^ {0,8}\d/.test(lines[at] ?? '');
  const items: { text: string; readonly depth: number }[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item !== null) items.push({ text: item[2] ?? '', depth: Math.min(3, Math.floor((item[1]?.length ?? 0) / 2)) });
    else if (/^\s+\S/.test(line) && last !== undefined && !FENCE.test(line)) last.text += `\n${line.trim()}`;
    else break;
  }
  const rows = items.map(({ text, depth }) => html`<li class="d${depth}">${inline(text)}</li>`);
  return { block: isOrdered ? html`<ol>${rows}</ol>` : html`<ul>${rows}</ul>`, end };
}

function table(lines: readonly string[]): SafeHtml {
  const rows = lines.filter((line) => !/^\|[\s:|-]+\|\s*$/.test(line)).map((line) => line.trim().slice(1, -1).split('|'));
  const [head = [], ...body] = rows;
  const cells = (row: readonly string[]): readonly SafeHtml[] => row.map((cell) => html`<td>${inline(cell.trim())}</td>`);
  return html`<div class="table"><table><thead><tr>${cells(head)}</tr></thead><tbody>${body.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

function paragraph(lines: readonly string[], at: number): Block {
  let end = at + 1;
  while (end < lines.length && !beginsBlock(lines[end] ?? '')) end++;
  return { block: html`<p dir="auto">${inline(lines.slice(at, end).join('\n'))}</p>`, end };
}

function beginsBlock(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, ITEM, QUOTE].some((form) => form.test(line));
}

/** Code, then addresses, then emphasis: each only in what the one before it left. */
function inline(text: string): SafeHtml {
  if (text.length > MAX_INLINE_CHARS) return html`${text}`;
  const parts = text.split(/(`[^`\n]{1,2000}`)/);
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : withLinks(part)))}`;
}

function withLinks(text: string): SafeHtml {
  const parts = text.split(/(\bhttps?:\/\/[^\s<>"'`()[\]]{1,500}[^\s<>"'`()[\].,;:!?*_])/);
  return html`${parts.map((part, i) => (i % 2 === 1 && URL.canParse(part) ? link(part) : emphasised(part)))}`;
}

function link(address: string): SafeHtml {
  return html`<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>`;
}

function emphasised(text: string): SafeHtml {
  const parts = text.split(/(\*\*[^*\n]{1,500}\*\*|(?<![*\w])\*[^*\s][^*\n]{0,300}\*(?![*\w]))/);
  return html`${parts.map((part, i) => (i % 2 === 0 ? html`${part}` : strong(part)))}`;
}

function strong(part: string): SafeHtml {
  return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`<em>${part.slice(1, -1)}</em>`;
}
