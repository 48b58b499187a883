import { displayLine } from '../core/display-text.ts';
import { messageOf } from '../core/errors.ts';
import type { SpillStore } from '../host/files/spill.ts';
import { type FedOutcome, runFedCommand } from '../host/process/fed-command.ts';
import { type HookOutput, parseHookOutput } from './hook-output.ts';
import type { CommandHook } from './read-hooks.ts';

/** Where hooks run: outside of any sandbox, since they are the user's own. */
export interface HookPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly spills: SpillStore;
}

/** What became of one hook. `blocked` is its exit code 2; `failed` says in half a sentence why it answered nothing that counts. */
export type HookAnswer =
  | { readonly type: 'said'; readonly output: HookOutput }
  | { readonly type: 'blocked'; readonly reason: string }
  | { readonly type: 'failed'; readonly fault: string };

const BLOCKED = 2;
const MAX_WORDS = 10_000;

/** Runs one hook with what happened as JSON on its stdin. Never throws. */
export async function runHook(hook: CommandHook, event: object, place: HookPlace, signal: AbortSignal): Promise<HookAnswer> {
  const { command, timeoutMs } = hook;
  try {
    const input = `${JSON.stringify(event)}\n`;
    const { cwd, env, spills } = place;
    return answerOf(hook, await runFedCommand({ command, input, cwd, env, timeoutMs, signal }, spills));
  } catch (thrown) {
    return failed(hook, `could not be run: ${messageOf(thrown)}`);
  }
}

function answerOf(hook: CommandHook, end: FedOutcome): HookAnswer {
  if (end.aborted) return failed(hook, 'was interrupted');
  if (end.timedOut) return failed(hook, `did not end within ${hook.timeoutMs / 1000} s`);
  if (end.exitCode === BLOCKED) return { type: 'blocked', reason: bounded(end.stderr.trim()) || 'no reason given' };
  if (end.exitCode !== 0) return failed(hook, endedWith(end));
  const output = end.isCut ? 'it wrote too much' : parseHookOutput(end.stdout);
  if (typeof output === 'string') return failed(hook, `gave no answer that can be read: ${output}`);
  const { reason, context, stop } = output;
  return { type: 'said', output: { ...output, reason: boundedOr(reason), context: boundedOr(context), stop: boundedOr(stop) } };
}

function endedWith({ exitCode, signal, stderr }: FedOutcome): string {
  const how = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return stderr.trim() === '' ? how : `${how}: ${displayLine(stderr, 300)}`;
}

function failed({ command }: CommandHook, how: string): HookAnswer {
  return { type: 'failed', fault: `the hook ${displayLine(command, 80)} ${how}` };
}

function boundedOr(text: string | null): string | null {
  return text === null ? null : bounded(text);
}

function bounded(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= MAX_WORDS ? wellFormed : `${wellFormed.slice(0, MAX_WORDS)}\n[… cut here …]`;
}
