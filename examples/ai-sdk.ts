// The tools inside a loop of the Vercel AI SDK: that asks the model, wield's gate and tools do the rest.
import { streamText, isStepCount, type LanguageModel } from 'ai';
import { createToolbox } from 'wield';
import { toAISDKTools } from 'wield/adapters';

/** Asks a model of the AI SDK about a folder. */
export async function askWithAISDK(model: LanguageModel, { cwd, prompt }: { cwd: string; prompt: string }): Promise<string> {
  await using toolbox = createToolbox({ cwd });
  const { text } = streamText({ model, prompt, tools: toAISDKTools(toolbox), stopWhen: isStepCount(20) });
  return await text;
}
