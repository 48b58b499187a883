import { describe, expect, test } from 'vitest';
import { NO_SPEND } from '../../core/accounting.ts';
import type { AgentEventBody } from '../../core/agent-event.ts';
import { createTheme } from '../theme.ts';
import { reduceAgentEvent } from './reduce-agent.ts';
import { type ChatState, createChatState } from './state.ts';

const FACTS = { nowMs: 1, patch: null, before: null };

/** The state after events of these agents. */
function after(...events: readonly (readonly [agentId: string, body: AgentEventBody])[]): ChatState {
  return events.reduce(
    (state, [agentId, body], i) => reduceAgentEvent(state, { seq: i + 1, turn: 1, agentId, ...body }, FACTS),
    createChatState({ columns: 80, theme: createTheme('plain') }),
  );
}

const started = (toolUseId: string, name: string): AgentEventBody => ({ type: 'tool_start', toolUseId, name, subject: name });
const ended = (toolUseId: string, name: string): AgentEventBody => ({
  type: 'tool_result',
  toolUseId,
  name,
  result: { content: [{ type: 'text', text: 'ok' }], isError: false },
  durationMs: 1,
});

describe('a sub-agent in the chat', () => {
  test('is the row of the call that started it, with its progress', () => {
    const state = after(
      ['main', started('task_1', 'Task')],
      ['main', { type: 'tool_progress', toolUseId: 'task_1', text: 'Bash ls\n' }],
      ['task_1', started('sub_1', 'Bash')],
      ['task_1', { type: 'model', event: { type: 'text_delta', index: 0, text: 'inner words' } }],
      ['task_1', ended('sub_1', 'Bash')],
    );
    expect(state.run?.calls).toMatchObject([{ id: 'task_1', tail: 'Bash ls\n' }]);
    expect(state.pending).toEqual([]);
    expect(state.callCount).toBe(0);
  });

  test('neither answers for its parent nor fails for it, and what it costs counts', () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'inner' }],
      state: 'complete',
      provider: 'p',
      model: 'm',
    } as const;
    const error = { code: 'model_overloaded', message: 'busy', remedy: 'wait' } as const;
    const state = after(
      ['task_1', { type: 'message_added', message }],
      ['task_1', { type: 'error', error }],
      ['task_1', { type: 'turn_end', stopReason: 'end_turn', ...NO_SPEND, cost: 0.5 }],
    );
    expect({ answer: state.answer, pending: state.pending, cost: state.cost }).toEqual({ answer: '', pending: [], cost: 0.5 });
  });

  test('asks like its parent, and a question that is over is closed', () => {
    const question: AgentEventBody = {
      type: 'permission_request',
      requestId: 'ask_1',
      toolUseId: 'sub_1',
      name: 'Bash',
      subject: 'ls',
      details: ['for the sub-agent: look'],
      parts: [],
      offers: [],
    };
    expect(after(['task_1', question]).dialog?.request).toMatchObject({ requestId: 'ask_1' });
    expect(after(['task_1', question], ['task_1', ended('sub_1', 'Bash')]).dialog).toBeNull();
  });

  test('tells the person what undo does not cover, and of a bug in a tool', () => {
    const bug = { code: 'tool_bug', message: 'It broke.', remedy: 'Report it.' } as const;
    expect(
      after(['task_1', { type: 'notice', text: 'Not covered' }], ['task_1', { type: 'error', error: bug }]).pending,
    ).toMatchObject([{ type: 'notice', text: 'Not covered' }, { type: 'error' }]);
  });
});
