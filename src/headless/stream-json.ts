import { type AgentEvent, isOfSubAgent } from '../core/agent-event.ts';
import type { JsonObject } from '../core/json-value.ts';
import type { AssistantMessage } from '../core/message.ts';
import { textOf, toolUsesOf } from '../core/message.ts';

/** The version of the lines that `stream-json` prints; docs/stream-json.md describes it. */
export const STREAM_JSON_VERSION = 1;

export interface StreamStart {
  readonly sessionId: string;
  readonly model: string;
  readonly cwd: string;
  readonly tools: readonly string[];
  readonly permissionMode: string;
  /** What confines commands: bwrap, seatbelt or none. */
  readonly sandbox: string;
}

/** The first line of a stream. */
export function renderStart(start: StreamStart): JsonObject {
  return {
    type: 'system',
    subtype: 'init',
    version: STREAM_JSON_VERSION,
    session_id: start.sessionId,
    model: start.model,
    cwd: start.cwd,
    tools: start.tools,
    permission_mode: start.permissionMode,
    sandbox: start.sandbox,
  };
}

/** The lines for one event: a projection of AgentEvents. Deltas only where they are wanted. */
export function renderEvent(
  event: AgentEvent,
  { sessionId, withPartials }: { readonly sessionId: string; readonly withPartials: boolean },
): readonly JsonObject[] {
  const place = { session_id: sessionId, ...(isOfSubAgent(event) ? { agent_id: event.agentId } : {}) };
  switch (event.type) {
    case 'message_added':
      return event.message.role === 'assistant' ? assistantLines(event.message, place) : [];
    case 'tool_result': {
      const { toolUseId, name, result, durationMs } = event;
      return [
        {
          type: 'tool_result',
          tool_use_id: toolUseId,
          name,
          content: textOf(result.content),
          is_error: result.isError,
          duration_ms: durationMs,
          ...place,
        },
      ];
    }
    case 'permission_decided':
      return [
        {
          type: 'permission',
          tool_use_id: event.toolUseId,
          name: event.name,
          decision: event.decision,
          by: event.by,
          because: event.because,
          ...place,
        },
      ];
    case 'error':
      return [{ type: 'error', ...event.error, ...place }];
    case 'retry_wait':
      return [{ type: 'retry_wait', until_ms: event.untilMs, cause: event.cause, ...place }];
    case 'notice':
      return [{ type: 'notice', text: event.text, ...place }];
    case 'model_idle':
      return [{ type: 'model_idle', silent_ms: event.silentMs, ...place }];
    case 'compacted': {
      const { reason, by, summary, keptMessages } = event;
      return [{ type: 'compacted', reason, by, summary, kept_messages: keptMessages, ...place }];
    }
    case 'message_replaced':
      return withPartials ? [{ type: 'message_replaced', reason: event.reason, ...place }] : [];
    case 'model':
      return withPartials ? [{ type: 'stream_event', event: event.event, ...place }] : [];
    default:
      return [];
  }
}

function assistantLines(message: AssistantMessage, place: JsonObject): JsonObject[] {
  const content = message.content.flatMap((block): JsonObject[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type === 'thinking') return [{ type: 'thinking', thinking: block.text }];
    return block.type === 'tool_use' ? [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }] : [];
  });
  const calls = toolUsesOf(message).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input, ...place }));
  return [
    { type: 'assistant', message: { role: 'assistant', model: message.model, content }, state: message.state, ...place },
    ...calls,
  ];
}
