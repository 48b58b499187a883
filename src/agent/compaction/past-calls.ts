import { type PreparedCall, prepareCall } from '../../calls/prepare-call.ts';
import type { Footprint } from '../../core/footprint.ts';
import type { Message, ToolResultBlock } from '../../core/message.ts';
import { textOf, toolUsesOf } from '../../core/message.ts';
import type { RunContext } from '../run-context.ts';

/** A shell command that ran. `exitCode` is null where it was stopped before there was one. */
export interface PastCommand {
  readonly command: string;
  readonly exitCode: number | null;
}

/** What calls of a session did, as far as their results say so, in the order of the calls. */
export interface PastCalls {
  readonly filesWritten: readonly string[];
  /** Those that were not written. */
  readonly filesRead: readonly string[];
  readonly commands: readonly PastCommand[];
}

/** Reads from messages which files were read and written and which commands ran. What failed, or has no result, is left out. */
export async function pastCallsOf(messages: readonly Message[], context: RunContext): Promise<PastCalls> {
  const written = new Set<string>();
  const read = new Set<string>();
  const commands: PastCommand[] = [];
  for (const { prepared, result } of await answeredCalls(messages, context)) {
    const { tool, input } = prepared;
    const footprint = tool.footprint(input, context);
    if (tool.category === 'shell' && footprint.extent === 'everything') commands.push(...commandIn(tool.subject(input), result));
    if (tool.category !== 'file' || result.isError) continue;
    for (const path of filesOf(footprint, 'writes')) written.add(path);
    for (const path of filesOf(footprint, 'reads')) read.add(path);
  }
  return { filesWritten: [...written], filesRead: [...read].filter((path) => !written.has(path)), commands };
}

interface AnsweredCall {
  readonly prepared: PreparedCall;
  readonly result: ToolResultBlock;
}

async function answeredCalls(messages: readonly Message[], { registry, cwd }: RunContext): Promise<AnsweredCall[]> {
  const blocks = messages.flatMap(({ content }) => content.filter((block) => block.type === 'tool_result'));
  const results = new Map(blocks.map((block) => [block.toolUseId, block]));
  const answered: AnsweredCall[] = [];
  for (const call of messages.flatMap((message) => (message.role === 'assistant' ? toolUsesOf(message) : []))) {
    const result = results.get(call.id);
    const prepared = result === undefined ? null : await prepareCall(registry, call, cwd);
    if (result !== undefined && prepared !== null && 'tool' in prepared) answered.push({ prepared, result });
  }
  return answered;
}

/** Nothing where the command did not run, or went to the background. */
function commandIn(command: string, { content }: ToolResultBlock): PastCommand[] {
  const text = textOf(content);
  if (!text.startsWith('<output>')) return [];
  // The last one: a command may print such a tag of its own.
  const exitCode = [...text.matchAll(/<exit_code>(\d+)<\/exit_code>/g)].at(-1)?.[1];
  return [{ command, exitCode: exitCode === undefined ? null : Number(exitCode) }];
}

function filesOf(footprint: Footprint, kind: 'reads' | 'writes'): string[] {
  if (footprint.extent === 'everything') return [];
  return footprint[kind].flatMap((resource) => (resource.kind === 'file' ? [resource.path] : []));
}
