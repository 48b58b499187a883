// The tools inside loops on OpenAI's own SDK: chat completions, and the Responses API.
import type OpenAI from 'openai';
import { createToolbox } from 'wield';
import { answerOpenAIChat, answerOpenAIResponses } from 'wield/adapters';

const MODEL = 'gpt-5.5';

/** Asks a model about a folder over chat completions. */
export async function askWithOpenAIChat(client: OpenAI, { cwd, prompt }: { cwd: string; prompt: string }): Promise<string> {
  await using toolbox = createToolbox({ cwd });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const completion = await client.chat.completions
      .stream({ model: MODEL, messages, tools: toolbox.toAPIFormat('openai-chat') })
      .finalChatCompletion();
    const reply = completion.choices[0]?.message;
    if (reply === undefined) return '';
    const answers = await answerOpenAIChat(toolbox, reply);
    if (answers.length === 0) return reply.content ?? '';
    messages.push(reply, ...answers);
  }
}

/** The same over the Responses API. */
export async function askWithOpenAIResponses(client: OpenAI, { cwd, prompt }: { cwd: string; prompt: string }): Promise<string> {
  await using toolbox = createToolbox({ cwd });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const response = await client.responses
      .stream({ model: MODEL, input, tools: toolbox.toAPIFormat('openai-responses') })
      .finalResponse();
    const answers = await answerOpenAIResponses(toolbox, response);
    if (answers.length === 0) return response.output_text;
    // What a response holds goes back as it is; the types of the SDK do not say so of every item.
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), ...answers);
  }
}
