import { isJsonObject } from '../core/json-value.ts';

/** What a hook said on stdout, in the one shape that the events share. Null is not said. */
export interface HookOutput {
  readonly decision: 'allow' | 'ask' | 'deny' | null;
  readonly reason: string | null;
  /** Words for the model. */
  readonly context: string | null;
  /** Words for the person. */
  readonly message: string | null;
  /** Why the run should end, where it should. */
  readonly stop: string | null;
  /** True where it would have another input be used. */
  readonly changesInput: boolean;
}

const SILENCE: HookOutput = { decision: null, reason: null, context: null, message: null, stop: null, changesInput: false };
const DECISIONS: Readonly<Record<string, 'allow' | 'ask' | 'deny'>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  deny: 'deny',
  block: 'deny',
};

// A script that also prints what it does: its decision must not pass for words.
const MISPLACED = /^\s*\{\s*"(?:decision|permissionDecision|hookSpecificOutput|continue)"/m;

/** Reads the stdout of a hook that succeeded. Plain text is context; what begins like an object must be one. A string says what is wrong. */
export function parseHookOutput(stdout: string): HookOutput | string {
  const text = stdout.trim();
  if (text === '') return SILENCE;
  if (!text.startsWith('{')) return MISPLACED.test(text) ? 'other text stands before its JSON' : { ...SILENCE, context: text };
  const value = parsed(text);
  if (value === null) return 'its output begins like JSON and is none';
  const specific = value['hookSpecificOutput'] ?? {};
  if (!isJsonObject(specific)) return 'hookSpecificOutput is no object';
  const word = specific['permissionDecision'] ?? value['permissionDecision'] ?? value['decision'] ?? null;
  const decision =
    word === null ? null : typeof word === 'string' && Object.hasOwn(DECISIONS, word) ? DECISIONS[word] : undefined;
  if (decision === undefined) return `${JSON.stringify(word)} is no decision`;
  const mayGoOn = value['continue'] ?? true;
  if (typeof mayGoOn !== 'boolean') return '"continue" is neither true nor false';
  return {
    decision,
    reason: textOr(specific['permissionDecisionReason'] ?? value['permissionDecisionReason'] ?? value['reason']),
    context: textOr(specific['additionalContext'] ?? value['additionalContext']),
    message: textOr(value['systemMessage']),
    stop: mayGoOn ? null : (textOr(value['stopReason']) ?? 'no reason given'),
    changesInput: (specific['updatedInput'] ?? null) !== null,
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
