import type { ToolUseBlock } from '../core/message.ts';
import type { Hook, HookRun, HookVerdict, Lifecycle } from '../core/ports.ts';
import type { ToolResult } from '../core/tool-result.ts';
import type { HookEvent } from './hook-settings.ts';
import { inputForHooks, isForTool } from './match-hook.ts';
import type { CommandHook } from './read-hooks.ts';
import { type HookAnswer, type HookPlace, runHook } from './run-hook.ts';

export interface CommandHooksOptions extends HookPlace {
  /** What every hook is told: the session, its folder and its mode. */
  readonly facts: Readonly<Record<string, string>>;
  /** Another name that a tool goes by, or null. */
  aliasOf(tool: string): string | null;
}

/** The user's commands as the session knows them: one hook around calls, and one around the session. */
export function createCommandHooks(
  hooks: readonly CommandHook[],
  options: CommandHooksOptions,
): { readonly hook: Hook; readonly lifecycle: Lifecycle } {
  let stop: string | null = null;

  type Matches = (hook: CommandHook) => boolean;
  /** All at once: a slow hook does not wait for another. The answers come in the order of the hooks. */
  const run = async (event: HookEvent, details: object, { signal, notify }: HookRun, matches: Matches = anyHook) => {
    const chosen = hooks.filter((hook) => hook.event === event && matches(hook));
    const told = { ...options.facts, hook_event_name: event, ...details };
    const answers = await Promise.all(chosen.map((hook) => runHook(hook, told, options, signal)));
    for (const answer of answers) {
      if (answer.type !== 'said') continue;
      if (answer.output.message !== null) notify(answer.output.message);
      stop ??= answer.output.stop;
    }
    return answers;
  };
  const forTool =
    (tool: string) =>
    ({ matcher }: CommandHook): boolean =>
      isForTool(matcher, tool, options.aliasOf(tool));

  return {
    hook: {
      name: 'command hooks',
      beforeTool: async (call, _judgement, hookRun) =>
        strictestVerdict(await run('PreToolUse', detailsOf(call), hookRun, forTool(call.name))),
      afterTool: async (call, result, hookRun) => {
        const details = { ...detailsOf(call), tool_response: responseOf(result) };
        return wordsFor(await run('PostToolUse', details, hookRun, forTool(call.name)), hookRun);
      },
    },
    lifecycle: {
      sessionStarts: async (source, hookRun) => {
        const isForSource = ({ matcher }: CommandHook): boolean => matcher === null || matcher.test(source);
        return wordsFor(await run('SessionStart', { source }, hookRun, isForSource), hookRun);
      },
      promptGiven: async (prompt, hookRun) => {
        const answers = await run('UserPromptSubmit', { prompt }, hookRun);
        const refused = answers.map(refusalOf).find((reason) => reason !== null);
        return refused === undefined ? { context: contextOf(answers, hookRun) } : { refused };
      },
      runEnds: async (isGoingOn, hookRun) => {
        const answers = await run('Stop', { stop_hook_active: isGoingOn }, hookRun);
        tellFaults(answers, hookRun);
        // What ends the run is stronger than what wants it to go on.
        return stop === null ? joined(answers.map(blockReasonOf)) : null;
      },
      takeStop: () => {
        const reason = stop;
        stop = null;
        return reason;
      },
    },
  };
}

function anyHook(): boolean {
  return true;
}

function detailsOf({ id, name, input }: ToolUseBlock): object {
  return { tool_name: name, tool_input: inputForHooks(input), tool_use_id: id };
}

function responseOf({ content, isError }: ToolResult): object {
  return { content: content.map((block) => (block.type === 'text' ? block : { type: block.type })), is_error: isError };
}

/** Whatever is not understood denies: a hook that fails may be one that would have. */
function strictestVerdict(answers: readonly HookAnswer[]): HookVerdict | null {
  const verdicts = answers.map(verdictOf);
  return (
    verdicts.find((verdict) => verdict !== null && 'deny' in verdict) ?? verdicts.find((verdict) => verdict !== null) ?? null
  );
}

function verdictOf(answer: HookAnswer): HookVerdict | null {
  if (answer.type === 'blocked') return { deny: answer.reason };
  if (answer.type === 'failed') return { deny: answer.fault };
  const { decision, reason, stop, changesInput } = answer.output;
  if (stop !== null) return { deny: stop };
  if (decision === 'deny') return { deny: reason ?? 'no reason given' };
  if (changesInput) return { deny: 'it wants another input (updatedInput), which is not supported' };
  return decision === 'ask' ? { ask: reason ?? 'it wants you to decide' } : null;
}

/** Why a prompt is refused, or null. */
function refusalOf(answer: HookAnswer): string | null {
  return blockReasonOf(answer) ?? (answer.type === 'said' ? answer.output.stop : null);
}

function blockReasonOf(answer: HookAnswer): string | null {
  if (answer.type === 'blocked') return answer.reason;
  return answer.type === 'said' && answer.output.decision === 'deny' ? (answer.output.reason ?? 'no reason given') : null;
}

/** All that hooks have to say to the model: why they object, and what they add. */
function wordsFor(answers: readonly HookAnswer[], run: HookRun): string | null {
  return joined([joined(answers.map(blockReasonOf)), contextOf(answers, run)]);
}

function contextOf(answers: readonly HookAnswer[], run: HookRun): string | null {
  tellFaults(answers, run);
  return joined(answers.map((answer) => (answer.type === 'said' ? answer.output.context : null)));
}

function tellFaults(answers: readonly HookAnswer[], { notify }: HookRun): void {
  for (const answer of answers) if (answer.type === 'failed') notify(answer.fault);
}

function joined(parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join('\n');
}
