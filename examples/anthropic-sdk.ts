// The tools inside a loop on Anthropic's own SDK.
import type Anthropic from '@anthropic-ai/sdk';
import { createToolbox } from 'wield';
import { answerAnthropic } from 'wield/adapters';

/** Asks a model about a folder. */
export async function askWithAnthropic(client: Anthropic, { cwd, prompt }: { cwd: string; prompt: string }): Promise<string> {
  await using toolbox = createToolbox({ cwd });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const reply = await client.messages
      .stream({ model: 'claude-opus-5-5', max_tokens: 8000, messages, tools: toolbox.toAPIFormat('anthropic') })
      .finalMessage();
    const answer = await answerAnthropic(toolbox, reply);
    if (answer === null) return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    messages.push({ role: 'assistant', content: reply.content }, answer);
  }
}
