import { ToolRunner } from '../calls/run-tools.ts';
import type { Asker } from '../calls/permit-call.ts';
import { DIRECT_STEPS } from '../app/direct-steps.ts';
import type { AgentEventBody } from '../core/agent-event.ts';
import type { Backend } from '../core/backend.ts';
import type { ToolUseBlock } from '../core/message.ts';
import type { Dialect, ToolFormats, ToolRegistry } from '../core/registry.ts';
import type { ToolSpec } from '../core/tool.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';
import { openTools, type ToolsOptions } from './open-tools.ts';

/** What a toolbox is made of. Only a place to work in is needed. */
export type ToolboxOptions = ToolsOptions & {
  /** Asks a person. Not given: what would ask is denied, and the model told so. */
  readonly ask?: Asker;
  /** False where the model takes no images. Default true. */
  readonly seesImages?: boolean;
  /** Sees what happens: progress, decisions, errors. */
  readonly onEvent?: (event: AgentEventBody) => void;
};

/** A call as some model's API tells it. `malformedInput` is its text where that is no JSON object. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly malformedInput?: string;
}

/** Tools for a loop that is not wield's: what to tell the model, and what to do when it calls. */
export interface Toolbox extends AsyncDisposable {
  readonly registry: ToolRegistry;
  readonly backend: Backend;
  /** What a request in this dialect carries as its tools. */
  toAPIFormat<D extends Dialect = 'anthropic'>(dialect?: D): ToolFormats[D][];
  specs(): readonly ToolSpec[];
  /** Checks, asks and runs one call. Never throws for what a model can mend: the result says it. */
  call(name: string, input: unknown, signal?: AbortSignal): Promise<ToolResult>;
  /** The calls of one message: those that do not touch the same run beside each other. One result a call, in call order. */
  callAll(calls: readonly ToolCall[], signal?: AbortSignal): Promise<readonly ToolResult[]>;
  close(): Promise<void>;
}

/** Opens tools for someone else's loop, behind the same gate as those of an agent. Errors: AgentError `folder_missing`, `misuse`. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { backend, registry, runnerOptions } = openTools(options, { seesImages: options.seesImages ?? true });
  const runner = new ToolRunner({ ...runnerOptions, registry, steps: DIRECT_STEPS, ask: options.ask ?? null });
  let count = 0;

  async function callAll(calls: readonly ToolCall[], signal = NEVER): Promise<readonly ToolResult[]> {
    const results = new Map<string, ToolResult>();
    const round = runner.startRound(signal, (event) => {
      if (event.type === 'tool_result') results.set(event.toolUseId, event.result);
      options.onEvent?.(event);
    });
    const blocks = calls.map((call): ToolUseBlock => ({ type: 'tool_use', id: `call_${++count}`, wireId: null, ...call }));
    for (const block of blocks) round.add(block, false);
    round.commit();
    await round.results();
    return blocks.map(({ id }) => results.get(id) ?? fail('The call has no result.'));
  }

  const close = (): Promise<void> => backend.close();
  return {
    registry,
    backend,
    toAPIFormat: <D extends Dialect = 'anthropic'>(dialect?: D) => registry.toAPIFormat(dialect),
    specs: () => registry.specs(),
    call: async (name, input, signal) => (await callAll([{ name, input }], signal))[0] ?? fail('The call has no result.'),
    callAll,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NEVER = new AbortController().signal;
