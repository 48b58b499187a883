import { describeInput } from '../core/describe-input.ts';
import type { Emit } from '../core/agent-event.ts';
import type { ToolUseBlock } from '../core/message.ts';
import type { Grant, Judgement, PermissionAnswer } from '../core/permission.ts';
import type { PermissionPolicy } from '../core/policy.ts';
import type { Hook, HookVerdict } from '../core/ports.ts';
import type { ToolRegistry } from '../core/registry.ts';
import { fail, type ToolResult } from '../core/tool-result.ts';
import { checkedCall, type PreparedCall } from './prepare-call.ts';

/** A question about one call, as a person should see it. */
export interface Question {
  readonly toolUseId: string;
  readonly name: string;
  readonly subject: string;
  /** What it would run with. */
  readonly input: unknown;
  /** The whole input, a line each, safe to show. */
  readonly details: readonly string[];
  readonly judgement: Judgement;
}

/** Asks a person and waits; questions come one at a time. Resolves to a denial when the run is aborted. */
export type Asker = (question: Question, signal: AbortSignal) => Promise<PermissionAnswer>;

/** Leave to run with exactly what was judged, or the answer that says why not. */
export type Permit = { readonly call: PreparedCall; readonly grant: Grant } | { readonly refusal: ToolResult };

interface PermitOptions {
  readonly registry: ToolRegistry;
  readonly policy: PermissionPolicy;
  readonly cwd: string;
  readonly hooks: readonly Hook[];
  readonly ask: Asker | null;
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

const INTERRUPTED = 'Interrupted by the person before it ran; nothing was done.';

/** Carries a judgement out: hooks may only tighten it, and a question goes to a person. */
export async function permit(
  options: PermitOptions,
  call: ToolUseBlock,
  prepared: PreparedCall,
  judgement: Judgement,
): Promise<Permit> {
  const verdict = await strictestVerdict(options, { ...call, name: prepared.tool.name, input: prepared.input }, judgement);
  if (options.signal.aborted) return { refusal: fail(INTERRUPTED) };
  if (verdict !== null && 'deny' in verdict) return denyByHook(options, call, verdict.deny);
  const tightened = verdict === null || judgement.decision !== 'allow' ? judgement : askedByHook(judgement, call, verdict.ask);
  switch (tightened.decision) {
    case 'allow':
      decided(options, call, 'rule', tightened.because);
      return { call: prepared, grant: tightened.grant };
    case 'deny':
      return deny(options, call, {
        by: 'rule',
        because: tightened.because,
        refusal: `${call.name} was not run: ${tightened.because}`,
      });
    case 'ask':
      return ask(options, call, prepared, tightened);
  }
}

async function strictestVerdict(
  { hooks, signal, emit }: PermitOptions,
  call: ToolUseBlock,
  judgement: Judgement,
): Promise<HookVerdict | null> {
  const run = { signal, notify: (text: string) => emit({ type: 'notice', text }) };
  let strictest: HookVerdict | null = null;
  for (const hook of hooks) {
    const verdict = (await hook.beforeTool?.(call, judgement, run)) ?? null;
    if (verdict !== null && 'deny' in verdict) return verdict;
    strictest ??= verdict;
  }
  return strictest;
}

function denyByHook(options: PermitOptions, call: ToolUseBlock, reason: string): Permit {
  return deny(options, call, {
    by: 'hook',
    because: `a hook refused it: ${reason}`,
    refusal: `A hook refused ${call.name}: ${reason}`,
  });
}

/** No rule can answer for a hook, so none is offered. */
function askedByHook(judgement: Judgement, { name }: ToolUseBlock, reason: string): Judgement {
  const because = `a hook wants a question: ${reason}`;
  const part = { text: name, decision: 'ask', cause: 'rule', because } as const;
  return { ...judgement, decision: 'ask', because, parts: [...judgement.parts, part], offers: [] };
}

async function ask(options: PermitOptions, call: ToolUseBlock, prepared: PreparedCall, judgement: Judgement): Promise<Permit> {
  if (options.ask === null) {
    const refusal = `${call.name} was not run: it needs a permission (${judgement.because}), and in headless mode nobody can be asked. Go on without it, or say what you would have done.`;
    return deny(options, call, { by: 'headless', because: judgement.because, refusal });
  }
  const question: Question = {
    toolUseId: call.id,
    name: prepared.tool.name,
    subject: prepared.tool.subject(prepared.input),
    input: prepared.input,
    details: describeInput(prepared.input),
    judgement,
  };
  const answer = await options.ask(question, options.signal);
  if (options.signal.aborted) return { refusal: fail(INTERRUPTED) };
  if (answer.type === 'deny') {
    const reason = answer.reason === undefined || answer.reason.trim() === '' ? '' : ` Their reason: ${answer.reason}`;
    const refusal = `The person did not allow ${call.name}; nothing was done.${reason} Do not try the same another way; ask what they want instead, or go on with the rest.`;
    return deny(options, call, { by: 'user', because: answer.reason ?? 'denied', refusal });
  }
  if (answer.editedInput !== undefined) return permitEdited(options, call, prepared, answer.editedInput);
  for (const rule of answer.rule === undefined ? [] : [answer.rule, ...(answer.besides ?? [])]) {
    const fault = await options.policy.remember(rule);
    if (fault !== null) options.emit({ type: 'notice', text: fault });
  }
  decided(options, call, 'user', answer.scope === 'once' ? 'allowed once' : `allowed for the ${answer.scope}`);
  return { call: prepared, grant: judgement.grant };
}

/** What a person wrote is checked and judged like what a model wrote; what would ask is answered by having written it. */
async function permitEdited(
  options: PermitOptions,
  call: ToolUseBlock,
  prepared: PreparedCall,
  editedInput: unknown,
): Promise<Permit> {
  const edited = await checkedCall(options.registry, prepared.tool, editedInput, options.cwd);
  if ('refusal' in edited) return edited;
  const judgement = await options.policy.judge(edited.tool, edited.input, undefined, call.id);
  if (judgement.decision === 'deny') return permit(options, call, edited, judgement);
  const verdict = await strictestVerdict(options, { ...call, name: edited.tool.name, input: edited.input }, judgement);
  if (verdict !== null && 'deny' in verdict) return denyByHook(options, call, verdict.deny);
  decided(options, call, 'user', 'allowed with an edited input', edited.input);
  return { call: edited, grant: judgement.grant };
}

function decided(
  { emit }: PermitOptions,
  { id, name }: ToolUseBlock,
  by: 'rule' | 'user',
  because: string,
  editedInput?: unknown,
): void {
  const edited = editedInput === undefined ? {} : { editedInput };
  emit({ type: 'permission_decided', toolUseId: id, name, by, decision: 'allow', because, ...edited });
}

interface Denial {
  readonly by: 'rule' | 'user' | 'hook' | 'headless';
  readonly because: string;
  readonly refusal: string;
}

function deny({ emit }: PermitOptions, call: ToolUseBlock, { by, because, refusal }: Denial): Permit {
  emit({ type: 'permission_decided', toolUseId: call.id, name: call.name, by, decision: 'deny', because });
  return { refusal: fail(refusal) };
}
