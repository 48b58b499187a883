import type { Emit } from '../core/agent-event.ts';
import type { ModelRequest, Provider } from '../core/model.ts';
import type { Round } from '../calls/run-tools.ts';
import { Assembler, type Reply } from './assemble.ts';
import { withIdleHint } from './idle-hint.ts';

const IDLE_HINT_MS = 20_000;

/** One try at a response: streams it, shows it, and lets safe calls start while it still comes. */
export async function askModel(
  provider: Provider,
  request: ModelRequest,
  { emit, round, usedIds }: { readonly emit: Emit; readonly round: Round; readonly usedIds: Set<string> },
): Promise<Reply> {
  const assembler = new Assembler({ provider: provider.id, model: request.model }, usedIds);
  const onIdle = (): void => emit({ type: 'model_idle', silentMs: IDLE_HINT_MS });
  for await (const event of withIdleHint(provider.stream(request), IDLE_HINT_MS, onIdle)) {
    emit({ type: 'model', event });
    const step = assembler.accept(event);
    if (step === null) continue;
    if ('reply' in step) return step.reply;
    round.add(step.call, provider.marksCallEnd);
  }
  const error = { kind: 'incomplete', message: 'The model ended without a last word.', status: null } as const;
  const step = assembler.accept({ type: 'message_failed', error, retryable: true });
  if (step === null || !('reply' in step)) throw new Error('a failed message gives a reply');
  return step.reply;
}
