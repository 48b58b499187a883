import type { AgentEvent, AgentEventBody } from '../../core/agent-event.ts';
import type { Message, ToolResultBlock, ToolUseBlock } from '../../core/message.ts';
import { NO_USAGE } from '../../core/model.ts';

/** Numbers the events of a session and hands them on. */
export class CallRecorder {
  readonly #append: (event: AgentEvent) => void;
  #seq = 0;
  #turn = 0;

  constructor(append: (event: AgentEvent) => void) {
    this.#append = append;
  }

  append(body: AgentEventBody): void {
    if (body.type === 'turn_start') this.#turn++;
    this.#append({ seq: ++this.#seq, turn: this.#turn, agentId: 'main', ...body });
  }
}

/**
 * One call as a session keeps it: a run of one turn, with who called as its prompt, so that it is listed, gone on with and undone like any
 * other. Nothing is recorded before `begin` or `end`; what happened until then comes behind the call.
 */
export class CallRecord {
  readonly #recorder: CallRecorder;
  readonly #call: ToolUseBlock;
  readonly #client: string;
  readonly #early: AgentEventBody[] = [];
  #hasBegun = false;

  constructor(recorder: CallRecorder, call: ToolUseBlock, client: string) {
    this.#recorder = recorder;
    this.#call = call;
    this.#client = client;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  add(event: AgentEventBody): void {
    if (this.#hasBegun) this.#recorder.append(event);
    else this.#early.push(event);
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const prompt: Message = {
      role: 'user',
      content: [{ type: 'text', text: `${this.#client} calls ${this.#call.name} over MCP.` }],
    };
    const message: Message = {
      role: 'assistant',
      content: [this.#call],
      state: 'complete',
      provider: 'mcp',
      model: this.#client,
    };
    this.#recorder.append({ type: 'run_start', tools: [] });
    this.#recorder.append({ type: 'message_added', message: prompt });
    this.#recorder.append({ type: 'turn_start' });
    this.#recorder.append({ type: 'message_added', message });
    for (const event of this.#early) this.#recorder.append(event);
  }

  end(result: ToolResultBlock): void {
    this.begin();
    this.#recorder.append({ type: 'message_added', message: { role: 'user', content: [result] } });
    // The client's model is billed to the client; nothing is known of it here.
    this.#recorder.append({ type: 'turn_end', stopReason: 'tool_use', usage: NO_USAGE, cost: null });
    this.#recorder.append({ type: 'run_end', outcome: 'done', turns: 1, usage: NO_USAGE, cost: null });
  }
}
