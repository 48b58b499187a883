/** A response of Anthropic Messages as server-sent events: one call, or the last word. Source: platform.claude.com/docs/en/build-with-claude/streaming, 2026-08. */
export function responseText(turn: number, call: { name: string; input: object } | null): string {
  const block =
    call === null
      ? { start: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: 'All steps are done.' }] }
      : {
          start: { type: 'tool_use', id: `toolu_${turn}`, name: call.name, input: {} },
          deltas: halves(JSON.stringify(call.input)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
        };
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model: 'bench', content: [], stop_reason: null };
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 100, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block.start },
    ...block.deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function halves(text: string): [string, string] {
  const middle = text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)];
}
