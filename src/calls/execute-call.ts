import type { Emit } from '../core/agent-event.ts';
import { isDelegated } from '../core/footprint.ts';
import type { ToolResultBlock, ToolUseBlock } from '../core/message.ts';
import type { Grant } from '../core/permission.ts';
import type { EffectJournal, EffectScope, Hook, StepRunner } from '../core/ports.ts';
import type { ToolContext } from '../core/tool.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';
import type { PreparedCall } from './prepare-call.ts';
import { truncateResult } from './truncate.ts';

interface ExecuteOptions {
  readonly hooks: readonly Hook[];
  readonly journal: EffectJournal;
  readonly steps: StepRunner;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  contextFor(call: ToolUseBlock, grant: Grant, signal: AbortSignal, emit: Emit): ToolContext;
}

/** Longer than the longest command may take. */
const CALL_DEADLINE_MS = 660_000;
/** How long a call that was told to stop may take to clean up. */
const STOP_GRACE_MS = 3000;

/** Runs one permitted call with its grant, a deadline and an abort signal, and bounds its answer. */
export async function executeCall(
  options: ExecuteOptions,
  call: ToolUseBlock,
  { call: { tool, input }, grant }: { readonly call: PreparedCall; readonly grant: Grant },
): Promise<ToolResult> {
  // What a sub-agent does has deadlines of its own, and ends with them.
  const isOwnWork = !isDelegated(grant.footprint);
  const signal = isOwnWork ? AbortSignal.any([options.signal, AbortSignal.timeout(CALL_DEADLINE_MS)]) : options.signal;
  const context = options.contextFor(call, grant, signal, options.emit);
  if (!tool.isReadOnly) await options.journal.started(call, scopeOf(call, grant, { signal, emit: options.emit }));
  options.emit({ type: 'tool_start', toolUseId: call.id, name: tool.name, subject: tool.subject(input) });
  const raw = await options.steps.runStep({ kind: 'tool', id: call.id }, () => {
    const work = tool.execute(context, input);
    return isOwnWork ? settled(work, signal) : work;
  });
  const result = await truncateResult(raw, context.spill);
  const heard = await withHookWords(options, { ...call, name: tool.name, input }, result);
  if (!tool.isReadOnly) await options.journal.finished(call, blockOf(call, heard));
  return heard;
}

function scopeOf(
  { id }: ToolUseBlock,
  { footprint }: Grant,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: Emit },
): EffectScope {
  return {
    footprint,
    signal,
    notify: (text) => emit({ type: 'notice', text }),
    progress: (text) => emit({ type: 'tool_progress', toolUseId: id, text }),
  };
}

/** The result with what hooks say of it. */
async function withHookWords(
  { hooks, signal, emit }: ExecuteOptions,
  call: ToolUseBlock,
  result: ToolResult,
): Promise<ToolResult> {
  const run = { signal, notify: (text: string) => emit({ type: 'notice', text }) };
  const words: string[] = [];
  for (const hook of hooks) {
    const said = (await hook.afterTool?.(call, result, run)) ?? null;
    if (said !== null) words.push(`<hook_context>\n${said}\n</hook_context>`);
  }
  if (words.length === 0) return result;
  return { ...result, content: [...result.content, ...words.map((text) => ({ type: 'text' as const, text }))] };
}

/** A tool that does not heed its signal cannot hold up the run. */
function settled(work: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      timer = setTimeout(
        () => resolve(fail('Interrupted, and the tool did not stop in time; it may have had part of its effect.')),
        STOP_GRACE_MS,
      );
    };
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    work
      .then(resolve, (thrown: unknown) => {
        if (signal.aborted) resolve(fail('Interrupted by the person; it may have had part of its effect.'));
        else reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      })
      .finally(finish);
  });
}

function blockOf(call: ToolUseBlock, { content, isError }: ToolResult): ToolResultBlock {
  return { type: 'tool_result', toolUseId: call.id, content, isError };
}
