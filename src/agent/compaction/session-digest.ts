import type { Message } from '../../core/message.ts';
import { textOf } from '../../core/message.ts';
import { renderTodos } from '../../core/todo-list.ts';
import { type PastCalls, pastCallsOf } from './past-calls.ts';
import type { RunContext } from '../run-context.ts';

const MAX_LISTED = 40;
const MAX_LINE_CHARS = 300;
const MAX_PROMPT_CHARS = 1_000;
const MAX_LAST_PROMPT_CHARS = 8_000;
const MAX_EARLIER_SUMMARY_CHARS = 8_000;

/** What the record of a session says of messages that are about to go, without a model: bounded, and nothing made up. */
export interface SessionDigest {
  /** In place of a model's summary. */
  readonly summary: string;
  /** What goes beside any summary: the plan, the files, the jobs, and the last prompt in full. */
  readonly state: string;
}

/** Digests the messages before the index `end`. */
export async function digestSession(context: RunContext, end: number): Promise<SessionDigest> {
  const messages = context.transcript.messages.slice(0, end);
  const calls = await pastCallsOf(messages, context);
  // The first prompt stays as it is.
  const prompts = messages.slice(1).flatMap(promptIn);
  return { summary: summaryOf(context, prompts, calls), state: stateOf(context, prompts, calls) };
}

function summaryOf({ transcript }: RunContext, prompts: readonly string[], { commands }: PastCalls): string {
  const earlier = transcript.compaction?.summary ?? null;
  const ran = commands.map(({ command, exitCode }) => `${command} → ${exitCode === null ? 'stopped' : `exit code ${exitCode}`}`);
  const parts = [
    ...(earlier === null ? [] : [`An earlier summary said:\n${cut(earlier, MAX_EARLIER_SUMMARY_CHARS)}`]),
    ...section(
      'The person also wrote',
      prompts.map((prompt) => cut(prompt, MAX_PROMPT_CHARS)),
    ),
    ...section('Commands that ran', ran.map(oneLine)),
  ];
  return parts.length === 0 ? 'Nothing but what is listed below was recorded.' : parts.join('\n\n');
}

function stateOf({ todos, jobs }: RunContext, prompts: readonly string[], { filesWritten, filesRead }: PastCalls): string {
  const running = (jobs?.list() ?? []).filter(({ state }) => state === 'running');
  const last = prompts.at(-1);
  const parts = [
    ...(todos === undefined || todos.items.length === 0 ? [] : [`The plan:\n${renderTodos(todos.items)}`]),
    ...section('Files that were changed', filesWritten),
    ...section('Files that were only read', filesRead),
    ...section(
      'Background jobs that still run',
      running.map(({ id, command }) => oneLine(`${id}: ${command}`)),
    ),
    ...(last === undefined
      ? []
      : [`The last thing that the person wrote before this point:\n${cut(last, MAX_LAST_PROMPT_CHARS)}`]),
  ];
  return parts.join('\n\n');
}

/** The last ones of a list, with the number of those that are left out. */
function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const omitted = Math.max(0, items.length - MAX_LISTED);
  const head = omitted === 0 ? `${title}:` : `${title} (${omitted} earlier ones are left out):`;
  return [[head, ...items.slice(omitted).map((item) => `- ${item}`)].join('\n')];
}

function promptIn({ role, content }: Message): string[] {
  const text = role === 'user' ? textOf(content).trim() : '';
  return text === '' ? [] : [text];
}

function oneLine(text: string): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), MAX_LINE_CHARS);
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()} […]`;
}
