import { type ImageBlock, type Message, type TextBlock, textOf, toolUsesOf, type UserMessage } from '../../core/message.ts';
import { type Marks, writeCall, writeResult } from './protocol.ts';

/** A history in words and images: calls and results become text, and what only their makers can read goes. */
export function asPlainHistory(messages: readonly Message[], marks: Marks): Message[] {
  return messages.map((message, i) => {
    if (message.role === 'user') return plainUser(message, namesBefore(messages[i - 1]), marks);
    const text = message.content.flatMap((block) => {
      if (block.type === 'text') return [block.text];
      return block.type === 'tool_use' ? [writeCall({ name: block.name, input: block.input }, marks)] : [];
    });
    return { ...message, content: [{ type: 'text', text: text.join('\n\n') }] };
  });
}

function namesBefore(before: Message | undefined): ReadonlyMap<string, string> {
  return new Map(before?.role === 'assistant' ? toolUsesOf(before).map(({ id, name }) => [id, name]) : []);
}

function plainUser({ content }: UserMessage, names: ReadonlyMap<string, string>, marks: Marks): UserMessage {
  const blocks = content.flatMap((block): (TextBlock | ImageBlock)[] => {
    if (block.type !== 'tool_result') return [block];
    const { toolUseId, isError } = block;
    const text = writeResult({ name: names.get(toolUseId) ?? 'unknown', text: textOf(block.content), isError }, marks);
    return [{ type: 'text', text }, ...block.content.filter((part) => part.type === 'image')];
  });
  return { role: 'user', content: blocks };
}
