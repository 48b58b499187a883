import { expect, test } from 'vitest';
import { NO_SPEND } from '../core/accounting.ts';
import type { AgentEventBody } from '../core/agent-event.ts';
import { NO_USAGE } from '../core/model.ts';
import { renderResult } from './json-result.ts';
import { SummaryCollector } from './outcome.ts';
import { renderEvent } from './stream-json.ts';

const PLACE = { seq: 1, turn: 1, agentId: 'main' };

function resultOf(...events: readonly AgentEventBody[]) {
  const collector = new SummaryCollector();
  for (const event of events) collector.accept({ ...PLACE, ...event });
  return renderResult(collector.summary(), { sessionId: 's', durationMs: 5 });
}

const turn = (cost: number | null): AgentEventBody => ({
  type: 'turn_end',
  stopReason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40, reasoningTokens: 5 },
  cost,
});

test('the result holds the tokens that were reported and what they cost', () => {
  expect(resultOf(turn(0.25), turn(0.5))).toMatchObject({
    total_cost_usd: 0.75,
    usage: {
      input_tokens: 20,
      output_tokens: 40,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 80,
      reasoning_tokens: 10,
    },
  });
});

test('a cost that is not known is null, and so is reasoning that nobody counted', () => {
  const silent: AgentEventBody = { type: 'turn_end', stopReason: 'end_turn', usage: NO_USAGE, cost: null };
  expect(resultOf(turn(1), silent)['total_cost_usd']).toBeNull();
  expect(resultOf(silent)['usage']).toMatchObject({ input_tokens: 0, reasoning_tokens: null });
});

test('a compaction is a line of the stream', () => {
  const event = { ...PLACE, type: 'compacted', reason: 'long', summary: 'What was.', keptMessages: 2, by: 'model' } as const;
  expect(renderEvent(event, { sessionId: 's', withPartials: false })).toEqual([
    { type: 'compacted', reason: 'long', by: 'model', summary: 'What was.', kept_messages: 2, session_id: 's' },
  ]);
});

test('a run that failed tells what ended it, and one that did not tells of no bug on its way', () => {
  const bug = { type: 'error', error: { code: 'tool_bug', message: 'It broke.', remedy: 'Report it.' } } as const;
  const error = { code: 'model_key_rejected', message: 'invalid', remedy: 'Check the key.' } as const;
  const end = (outcome: 'done' | 'failed'): AgentEventBody => ({ type: 'run_end', outcome, turns: 1, ...NO_SPEND });
  expect(resultOf({ type: 'error', error }, bug, end('failed'))).toMatchObject({ is_error: true, error });
  expect(resultOf(bug, end('done'))).not.toHaveProperty('error');
});
