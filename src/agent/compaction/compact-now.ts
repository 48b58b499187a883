import { isReported } from '../../core/accounting.ts';
import type { RunContext } from '../run-context.ts';
import { compact } from './compact.ts';

/** Does so because a person wants it. What the summary cost is told as a turn of its own. */
export async function compactNow(context: RunContext): Promise<void> {
  const { isDone, spend } = await compact(context, 'you asked for it');
  if (isReported(spend.usage)) context.emit({ type: 'turn_end', stopReason: 'end_turn', ...spend });
  if (isDone) return;
  const text = context.signal.aborted
    ? 'The conversation was not compacted: it was interrupted.'
    : 'There is nothing to compact yet: what is kept anyway is all there is.';
  context.emit({ type: 'notice', text });
}
