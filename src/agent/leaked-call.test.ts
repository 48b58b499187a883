import { describe, expect, test } from 'vitest';
import type { AssistantMessage } from '../core/message.ts';
import { leakedCallIn } from './leaked-call.ts';

const TOOLS = ['ReadFile', 'Bash'];

function leakedIn(text: string, type: 'text' | 'thinking' = 'text'): string | null {
  const message: AssistantMessage = {
    role: 'assistant',
    state: 'complete',
    provider: 'p',
    model: 'm',
    content: [{ type, text }],
  };
  return leakedCallIn(message, TOOLS);
}

describe('a call that came as text', () => {
  test.each([
    ['Qwen, Hermes', '<tool_call>\n{"name": "Bash", "arguments": {"command": "ls"}}\n</tool_call>', '<tool_call>'],
    ['GLM', '<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>', '<tool_call>'],
    ['Qwen Coder', 'I look.\n<function=ReadFile>\n<parameter=path>\n/a\n</parameter>\n</function>', '<function='],
    [
      'Kimi',
      '<|tool_call_begin|>functions.ReadFile:0<|tool_call_argument_begin|>{"path":"/a"}<|tool_call_end|>',
      '<|tool_call_begin|>',
    ],
    ['Mistral', '[TOOL_CALLS][{"name": "Bash", "arguments": {"command": "ls"}}]', '[TOOL_CALLS]'],
    ['DeepSeek', '<｜tool▁call▁begin｜>function<｜tool▁sep｜>Bash\n{"command":"ls"}<｜tool▁call▁end｜>', '<｜tool▁call▁begin｜>'],
    ['Claude', '<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>', '<invoke name='],
  ])('is known as %s writes it', (_who, text, marker) => {
    expect(leakedIn(text)).toBe(marker);
    expect(leakedIn(text, 'thinking')).toBe(marker);
  });

  test.each([
    ['an answer that goes on behind it', 'The file holds <tool_call>{"name":"Bash"}</tool_call> twice.'],
    ['a tool that was not offered', '<tool_call>{"name": "Fly", "arguments": {}}</tool_call>'],
    ['a quoted one', 'It looks so:\n```xml\n<invoke name="Bash">\n```\nand ends in <b>'],
    ['an answer that is still in a fence', 'See:\n```\n<tool_call>{"name":"Bash"}</tool_call>'],
    ['any other text', 'Done: {"name": "Bash"}'],
  ])('is not seen in %s', (_what, text) => {
    expect(leakedIn(text)).toBeNull();
  });

  test('is not looked for where there are calls', () => {
    const content = [
      { type: 'text', text: '<tool_call>{"name":"Bash"}</tool_call>' },
      { type: 'tool_use', id: 'a', wireId: null, name: 'Bash', input: {} },
    ] as const;
    expect(leakedCallIn({ role: 'assistant', state: 'complete', provider: 'p', model: 'm', content }, TOOLS)).toBeNull();
  });
});
