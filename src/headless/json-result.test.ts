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

test('a sub-agent neither answers nor fails for its parent; what it cost and what it was denied counts', () => {
  const collector = new SummaryCollector();
  const answer = (text: string) =>
    ({
      type: 'message_added',
      message: { role: 'assistant', content: [{ type: 'text', text }], state: 'complete', provider: 'p', model: 'm' },
    }) as const;
  const error = { code: 'model_key_rejected', message: 'inner', remedy: 'x' } as const;
  const denial = { toolUseId: 'c', name: 'Bash', by: 'headless', decision: 'deny', because: 'it asks' } as const;
  collector.accept({ ...PLACE, ...answer('mine') });
  for (const body of [answer('inner'), { type: 'error', error }, { type: 'permission_decided', ...denial }, turn(0.5)] as const)
    collector.accept({ ...PLACE, agentId: 'task_1', ...body });
  collector.accept({ ...PLACE, ...turn(0.25) });
  collector.accept({ ...PLACE, type: 'run_end', outcome: 'failed', turns: 1, ...NO_SPEND });
  const result = renderResult(collector.summary(), { sessionId: 's', durationMs: 1 });
  expect(result).toMatchObject({ result: 'mine', total_cost_usd: 0.75, permission_denials: [{ tool_use_id: 'c' }] });
  expect(result).not.toHaveProperty('error');
});
