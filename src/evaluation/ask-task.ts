import type { ProviderError } from '../core/errors.ts';
import { type ModelEvent, NO_USAGE, type Provider, type Usage } from '../core/model.ts';
import { pause } from '../core/pause.ts';
import type { ToolSpec } from '../core/tool.ts';

/** The model that is asked, and how. */
export interface ModelSetup {
  readonly provider: Provider;
  readonly model: string;
  readonly system: string;
  readonly maxOutputTokens: number;
  readonly retryDelayMs: number;
}

/** What a model did first: a call, or words. `input` is undefined where its JSON was broken. */
export type FirstStep =
  | { readonly type: 'call'; readonly name: string; readonly input: unknown; readonly usage: Usage }
  | { readonly type: 'words'; readonly text: string; readonly usage: Usage }
  | { readonly type: 'failed'; readonly error: ProviderError; readonly isFinal: boolean };

const TRIES = 3;
/** What another try or another task would not change. */
const FINAL: ReadonlySet<ProviderError['kind']> = new Set(['key_rejected', 'quota', 'unreachable', 'not_recorded']);

/** Asks one thing of a model that has these tools, and takes the first step of its answer; nothing is run. */
export async function askTask(
  prompt: string,
  tools: readonly ToolSpec[],
  setup: ModelSetup,
  signal: AbortSignal,
): Promise<FirstStep> {
  for (let tries = 1; ; tries++) {
    const step = await askOnce(prompt, tools, setup, signal);
    if (step.type !== 'failed' || step.isFinal || tries >= TRIES || signal.aborted) return step;
    await pause(setup.retryDelayMs * 2 ** (tries - 1), signal);
  }
}

async function askOnce(
  prompt: string,
  tools: readonly ToolSpec[],
  { provider, model, system, maxOutputTokens }: ModelSetup,
  signal: AbortSignal,
): Promise<FirstStep> {
  const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }] as const;
  let call: Extract<ModelEvent, { type: 'tool_use' }> | null = null;
  let text = '';
  for await (const event of provider.stream({ model, system, messages, tools, maxOutputTokens, signal })) {
    if (event.type === 'text_delta') text += event.text;
    else if (event.type === 'tool_use') call ??= event;
    else if (event.type === 'message_failed')
      return { type: 'failed', error: event.error, isFinal: !event.retryable || FINAL.has(event.error.kind) };
    else if (event.type === 'message_end') return stepOf(call, text, event.usage);
  }
  return stepOf(call, text, NO_USAGE);
}

function stepOf(call: Extract<ModelEvent, { type: 'tool_use' }> | null, text: string, usage: Usage): FirstStep {
  if (call === null) return { type: 'words', text, usage };
  return { type: 'call', name: call.name, input: call.malformedInput === undefined ? call.input : undefined, usage };
}
