import { AgentError, messageOf } from '../core/errors.ts';
import { matcherPattern } from './match-hook.ts';
import { HOOK_EVENTS, type HookEvent, type HookGroup, type HookSettings } from './hook-settings.ts';

/** One command to run at an event. */
export interface CommandHook {
  readonly event: HookEvent;
  /** The tools it is for, or for SessionStart how the session starts; null is every one. */
  readonly matcher: RegExp | null;
  readonly command: string;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_S = 60;

/**
 * The hooks of a settings file, and a line for each event that is not supported here.
 * Errors: AgentError `config_unreadable` for a hook that cannot run, since it may be there to keep something from happening.
 */
export function readHooks(
  settings: HookSettings,
  origin: string,
): { readonly hooks: readonly CommandHook[]; readonly faults: readonly string[] } {
  const known = HOOK_EVENTS.filter((event) => Object.hasOwn(settings, event));
  const unknown = Object.keys(settings).filter((event) => !(HOOK_EVENTS as readonly string[]).includes(event));
  return {
    hooks: known.flatMap((event) => (settings[event] ?? []).flatMap((group) => hooksOf(event, group, origin))),
    faults: unknown.map((event) => `Hooks for ${event} are not supported and do not run: ${origin}`),
  };
}

function hooksOf(event: HookEvent, { matcher, hooks }: HookGroup, origin: string): CommandHook[] {
  const pattern = patternOf(event, matcher, origin);
  return hooks.map(({ type, command, timeout }) => {
    if (type !== 'command') throw unusable(origin, event, `the type "${type}" is not supported; there is "command"`);
    if (command === undefined || command.trim() === '') throw unusable(origin, event, 'it has no command');
    return { event, matcher: pattern, command, timeoutMs: (timeout ?? DEFAULT_TIMEOUT_S) * 1000 };
  });
}

function patternOf(event: HookEvent, matcher: string | undefined, origin: string): RegExp | null {
  try {
    return matcherPattern(matcher);
  } catch (thrown) {
    throw unusable(origin, event, `its matcher is no regular expression: ${messageOf(thrown)}`);
  }
}

function unusable(origin: string, event: HookEvent, why: string): AgentError {
  return new AgentError({
    code: 'config_unreadable',
    message: `A hook for ${event} in ${origin} cannot run: ${why}.`,
    remedy: 'Mend the hook, or take it out.',
  });
}
