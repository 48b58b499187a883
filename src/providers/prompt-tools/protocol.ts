import { parseToolInput } from '../../core/tool-input.ts';
import type { ToolSpec } from '../../core/tool.ts';

/** A call that a model wrote as text. `input` is a JSON object. */
export interface WrittenCall {
  readonly name: string;
  readonly input: unknown;
}

/** The marks of one conversation. The code in them is its own, so that text quoted from a file is never taken for a call. */
export interface Marks {
  readonly open: string;
  readonly close: string;
  readonly resultOpen: string;
  readonly resultClose: string;
}

export function marksOf(code: string): Marks {
  return {
    open: `<call-${code} `,
    close: `</call-${code}>`,
    resultOpen: `<result-${code} `,
    resultClose: `</result-${code}>`,
  };
}

/** What the system prompt says of the tools and of how to call them. */
export function describeTools(tools: readonly ToolSpec[], marks: Marks): string {
  if (tools.length === 0) return '';
  const described = tools.map(
    ({ name, description, inputSchema }) => `## ${name}\n${description}\nArguments (JSON Schema): ${JSON.stringify(inputSchema)}`,
  );
  return [
    '# Tools',
    'You can use tools. To call one, end your answer with a block of exactly this form, on lines of its own and in no code fence:',
    writeCall({ name: 'TOOL', input: { argument: 'value' } }, marks),
    'The arguments are one JSON object. Several blocks one after the other are several calls. Write nothing behind the last block: the results come in the next message. Write such a block only to call a tool.',
    ...described,
  ].join('\n\n');
}

/** A call as the model is to write it, and as the history shows those that it wrote. */
export function writeCall({ name, input }: WrittenCall, { open, close }: Marks): string {
  return `${open}name=${JSON.stringify(name)}>\n${JSON.stringify(input ?? {})}\n${close}`;
}

/** The result of a call as the model reads it. */
export function writeResult(
  { name, text, isError }: { readonly name: string; readonly text: string; readonly isError: boolean },
  { resultOpen, resultClose }: Marks,
): string {
  return `${resultOpen}name=${JSON.stringify(name)}${isError ? ' error' : ''}>\n${text}\n${resultClose}`;
}

/** An answer taken apart. `problem` where it has a mark and is not exactly of the form: nothing is guessed. */
export type ReadAnswer = { readonly text: string; readonly calls: readonly WrittenCall[] } | { readonly problem: string };

/**
 * Reads an answer: text, then calls to its end. A mark counts only at the start of a line and outside a code fence: a model that quotes
 * one, such as from a file or from these rules, calls nothing.
 */
export function readAnswer(answer: string, marks: Marks): ReadAnswer {
  const start = answer.indexOf(marks.open);
  if (start === -1)
    return answer.includes(marks.close) ? { problem: 'a call ends that did not start' } : { text: answer, calls: [] };
  const before = answer.slice(0, start);
  if (before.includes(marks.close)) return { problem: 'a call ends that did not start' };
  if (!/(?:^|\n)$/.test(before)) return { problem: 'a call does not start its line' };
  if (isFenceOpen(before)) return { problem: 'a call stands inside a code fence' };
  const calls: WrittenCall[] = [];
  let rest = answer.slice(start);
  while (rest.trim() !== '') {
    const read = readCall(rest, marks);
    if ('problem' in read) return read;
    calls.push(read.call);
    rest = read.rest.replace(/^\s*\n/, '');
    if (rest === read.rest && rest.trim() !== '') return { problem: 'something stands behind a call' };
  }
  return { text: before.trimEnd(), calls };
}

/** Source: spec.commonmark.org/0.31.2, fenced code blocks; a fence inside a list or a quote counts here too. */
function isFenceOpen(text: string): boolean {
  let open = '';
  for (const [, fence = '', info = ''] of text.matchAll(/^[ \t>*+\-\d.]*(`{3,}|~{3,})(.*)$/gm)) {
    const isInline = fence.startsWith('`') && info.includes('`');
    if (isInline) continue;
    if (open === '') open = fence;
    else if (fence.startsWith(open) && info.trim() === '') open = '';
  }
  return open !== '';
}

function readCall(
  text: string,
  { open, close }: Marks,
): { readonly call: WrittenCall; readonly rest: string } | { readonly problem: string } {
  if (!text.startsWith(open)) return { problem: 'something stands behind a call' };
  const head = /^name="([A-Za-z0-9_.-]{1,64})">\r?\n/.exec(text.slice(open.length));
  if (head === null) return { problem: 'the first line of a call is not of the form' };
  const body = text.slice(open.length + head[0].length);
  const end = body.indexOf(close);
  if (end === -1) return { problem: 'a call has no end' };
  const parsed = parseToolInput(body.slice(0, end));
  if (parsed.input === null || body.slice(0, end).trim() === '') return { problem: 'the arguments of a call are no JSON object' };
  return { call: { name: head[1] ?? '', input: parsed.input }, rest: body.slice(end + close.length) };
}
