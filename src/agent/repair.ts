import type { AssistantMessage, Message, ToolResultBlock, ToolUseBlock, UserMessage } from '../core/message.ts';
import { toolUsesOf } from '../core/message.ts';
import { withUniqueCalls } from './unique-calls.ts';

const INTERRUPTED = 'Interrupted before it finished; it may have had part of its effect. Check before you repeat it.';

/**
 * The history as a provider accepts it: each call answered in the next user message, results first, in call order; no orphans, no doubles, no
 * call id twice, no empty messages, neighbours of one role merged. Pure: the stored session is not touched, a sound message passes as the same object,
 * and the same session gives the same request.
 */
export function repairHistory(history: readonly Message[]): readonly Message[] {
  const messages = withUniqueCalls(history);
  const repaired: Message[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.role === 'assistant') addAssistant(repaired, message, resultsAfter(messages, i));
    else addUser(repaired, message);
  }
  closeLast(repaired);
  return repaired;
}

/** The results that stand before the next assistant message. */
function resultsAfter(messages: readonly Message[], index: number): ToolResultBlock[] {
  const results: ToolResultBlock[] = [];
  for (let i = index + 1; i < messages.length; i++) {
    const message = messages[i];
    if (message?.role !== 'user') break;
    for (const block of message.content) if (block.type === 'tool_result') results.push(block);
  }
  return results;
}

function addAssistant(repaired: Message[], message: AssistantMessage, results: readonly ToolResultBlock[]): void {
  const sendable = callsLast(message.state === 'failed' ? salvage(message, results) : message);
  if (sendable.content.length === 0) return;
  closeLast(repaired);
  repaired.push(sendable);
}

/** Words and thoughts that a model sent behind a call go before the calls: nothing may stand between a call and its answer. */
function callsLast(message: AssistantMessage): AssistantMessage {
  const first = message.content.findIndex((block) => block.type === 'tool_use');
  const behind = first === -1 ? [] : message.content.slice(first);
  const strays = behind.filter(isStray);
  if (strays.length === 0) return message;
  const rest = behind.filter((block) => !isStray(block));
  return { ...message, content: [...message.content.slice(0, first), ...strays, ...rest] };
}

function isStray({ type }: AssistantMessage['content'][number]): boolean {
  return type === 'text' || type === 'thinking';
}

/** Of a message that broke only its words remain, and the calls that had been run. */
function salvage(message: AssistantMessage, results: readonly ToolResultBlock[]): AssistantMessage {
  const ran = new Set(results.map((result) => result.toolUseId));
  return {
    ...message,
    content: message.content.filter((block) => block.type === 'text' || (block.type === 'tool_use' && ran.has(block.id))),
  };
}

function addUser(repaired: Message[], message: UserMessage): void {
  const last = repaired.at(-1);
  if (last?.role === 'user') {
    repaired[repaired.length - 1] = withOrder(last, message.content, repaired.at(-2));
    return;
  }
  const ordered = withOrder({ role: 'user', content: [] }, message.content, last);
  const isSound =
    ordered.content.length === message.content.length && ordered.content.every((block, i) => block === message.content[i]);
  if (ordered.content.length > 0) repaired.push(isSound ? message : ordered);
}

/** Results of the calls before it first and in call order, each once, missing ones made up; then everything else. */
function withOrder(before: UserMessage, added: UserMessage['content'], assistant: Message | undefined): UserMessage {
  const all = [...before.content, ...added];
  const calls = assistant?.role === 'assistant' ? toolUsesOf(assistant) : [];
  const results = calls.map(
    (call) => all.find((block) => block.type === 'tool_result' && block.toolUseId === call.id) ?? interrupted(call),
  );
  const others = all.filter((block) => block.type === 'image' || (block.type === 'text' && block.text.trim() !== ''));
  return { role: 'user', content: [...results, ...others] };
}

/** An assistant message that is followed by another one, or by nothing, still needs its answers. A paused turn has no calls and stays open. */
function closeLast(repaired: Message[]): void {
  const last = repaired.at(-1);
  const calls = last?.role === 'assistant' ? toolUsesOf(last) : [];
  if (calls.length > 0) repaired.push({ role: 'user', content: calls.map(interrupted) });
}

function interrupted(call: ToolUseBlock): ToolResultBlock {
  return { type: 'tool_result', toolUseId: call.id, content: [{ type: 'text', text: INTERRUPTED }], isError: true };
}
