interface WireBlock {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly input?: unknown;
  readonly content?: unknown;
  readonly is_error?: boolean;
}
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}
/** A request as Anthropic receives it. */
export interface WireRequest {
  readonly model: string;
  readonly system: unknown;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema: { readonly type?: string };
  }[];
  readonly messages: readonly WireMessage[];
}

/** What Anthropic refuses in a conversation: pairing, order, doubles, empty text. Source: the vendor's documents and recorded errors, 2026-08. */
export function anthropicFaults({ messages, tools }: WireRequest): string[] {
  const faults: string[] = [];
  const used = new Set<string>();
  if (messages[0]?.role !== 'user') faults.push('the first message must be from the user');
  messages.forEach((message, i) => {
    const before = messages[i - 1];
    if (message.content.length === 0) faults.push(`message ${i} is empty`);
    for (const block of message.content)
      if (block.type === 'text' && (block.text ?? '').trim() === '') faults.push(`message ${i} has blank text`);
    if (message.role === before?.role && message.role === 'user') faults.push(`two user messages at ${i}`);
    if (message.role === 'assistant') faults.push(...assistantFaults(message, i, used));
    if (message.role === 'user') faults.push(...userFaults(message, i, before));
    if (before?.role === 'assistant' && idsOf(before).length > 0 && message.role !== 'user')
      faults.push(`tool_use of ${i - 1} has no answer`);
  });
  const last = messages.at(-1);
  if (last?.role === 'assistant' && idsOf(last).length > 0) faults.push('the last tool_use has no answer');
  for (const tool of tools) if (tool.input_schema.type !== 'object') faults.push(`the schema of ${tool.name} is no object`);
  return faults;
}

// Blocks of the vendor's own tools may, as they were sent.
const NOT_BEHIND_CALLS = new Set(['text', 'thinking', 'redacted_thinking']);

function assistantFaults(message: WireMessage, i: number, used: Set<string>): string[] {
  const faults: string[] = [];
  let sawUse = false;
  for (const block of message.content) {
    if (sawUse && NOT_BEHIND_CALLS.has(block.type)) faults.push(`${block.type} after tool_use in message ${i}`);
    if (block.type !== 'tool_use') continue;
    sawUse = true;
    if (!/^[a-zA-Z0-9_-]+$/.test(block.id ?? '')) faults.push(`bad id in message ${i}`);
    if (used.has(block.id ?? '')) faults.push(`the id ${block.id} is used twice`);
    used.add(block.id ?? '');
    if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input))
      faults.push(`the input of ${block.id} is no object`);
  }
  return faults;
}

function userFaults(message: WireMessage, i: number, before: WireMessage | undefined): string[] {
  const faults: string[] = [];
  const wanted = before?.role === 'assistant' ? idsOf(before) : [];
  const results = message.content.filter((block) => block.type === 'tool_result');
  const given = results.map((block) => block.tool_use_id);
  if (JSON.stringify(given) !== JSON.stringify(wanted))
    faults.push(`message ${i} answers ${given.join(', ') || 'nothing'}; wanted ${wanted.join(', ') || 'nothing'}`);
  const firstOther = message.content.findIndex((block) => block.type !== 'tool_result');
  if (firstOther !== -1 && firstOther < results.length) faults.push(`message ${i} has something before its results`);
  return faults;
}

function idsOf(message: WireMessage): (string | undefined)[] {
  return message.content.filter((block) => block.type === 'tool_use').map((block) => block.id);
}
