import type { AssistantMessage, Message, ToolUseBlock, UserMessage } from '../core/message.ts';

/** The id in the history → the ids that its calls of one message have now, in call order. */
type NewIds = ReadonlyMap<string, readonly string[]>;

/**
 * The history with one call an id. Two processes on one session, or a line that stands twice in its file, give an id to several calls;
 * every provider refuses that. The first call keeps its id, later ones and the results behind them get one made from it. What was made
 * from a message depends on those before it alone, so that a longer history keeps the ids of the shorter one. A message that stands twice
 * in a row is taken once. Messages in which nothing is doubled pass as the same objects.
 */
export function withUniqueCalls(messages: readonly Message[]): readonly Message[] {
  const used = new Set<string>();
  let newIds: NewIds = new Map();
  return messages
    .filter((message, i) => !isDoubled(message, messages[i - 1]))
    .map((message) => {
      if (message.role === 'user') return renameResults(message, newIds);
      const renamed = renameCalls(message, used);
      newIds = renamed.newIds;
      return renamed.message;
    });
}

/** Only of what has an id: the same words twice are two messages. */
function isDoubled(message: Message, before: Message | undefined): boolean {
  return (
    message.role === 'assistant' &&
    before?.role === 'assistant' &&
    message.content.some(hasId) &&
    JSON.stringify(message) === JSON.stringify(before)
  );
}

function hasId(block: AssistantMessage['content'][number]): boolean {
  return block.type === 'tool_use' || block.replay !== undefined;
}

function renameCalls(
  message: AssistantMessage,
  used: Set<string>,
): { readonly message: AssistantMessage; readonly newIds: NewIds } {
  const newIds = new Map<string, string[]>();
  const content = message.content.map((block) => {
    if (block.type !== 'tool_use') return block;
    const id = unusedId(block, used);
    used.add(id);
    newIds.set(block.id, [...(newIds.get(block.id) ?? []), id]);
    return id === block.id ? block : { ...block, id };
  });
  return { message: content.every((block, i) => block === message.content[i]) ? message : { ...message, content }, newIds };
}

function unusedId({ id }: ToolUseBlock, used: ReadonlySet<string>): string {
  let unused = id;
  for (let n = 2; used.has(unused); n++) unused = `${id}_${n}`;
  return unused;
}

/** Of several calls in one message with one id, the first result answers the first one. */
function renameResults(message: UserMessage, newIds: NewIds): UserMessage {
  const seen = new Map<string, number>();
  const content = message.content.map((block) => {
    if (block.type !== 'tool_result') return block;
    const nth = seen.get(block.toolUseId) ?? 0;
    seen.set(block.toolUseId, nth + 1);
    const ids = newIds.get(block.toolUseId);
    const toolUseId = ids?.[nth] ?? ids?.[0] ?? block.toolUseId;
    return toolUseId === block.toolUseId ? block : { ...block, toolUseId };
  });
  return content.every((block, i) => block === message.content[i]) ? message : { ...message, content };
}
