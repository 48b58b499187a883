import { textOf } from '../src/core/message.ts';
import type { ModelRequest, Provider } from '../src/core/model.ts';
import { createScriptedProvider, type ScriptedReply } from '../src/providers/scripted.ts';

type Script = readonly (ScriptedReply | ((request: ModelRequest) => ScriptedReply))[];

/** A scripted model that several conversations share: each is known by its first message, and has a script of its own. */
export function createRoutedModel(
  scripts: Readonly<Record<string, Script>>,
): Provider & { requestsOf(prompt: string): readonly ModelRequest[] } {
  const models = new Map(Object.entries(scripts).map(([prompt, script]) => [prompt, createScriptedProvider(script)]));
  return {
    id: 'scripted',
    marksCallEnd: true,
    seesImages: true,
    requestsOf: (prompt) => models.get(prompt)?.requests ?? [],
    stream: (request) => {
      const first = request.messages[0];
      const prompt = first?.role === 'user' ? textOf(first.content) : '';
      const model = models.get(prompt);
      if (model === undefined) throw new Error(`no script for "${prompt}"`);
      return model.stream(request);
    },
  };
}
