import type { AgentEvent } from '../../core/agent-event.ts';
import { type Difference, firstDifference } from '../../core/first-difference.ts';
import type { ToolResultBlock } from '../../core/message.ts';
import { type Comparison, compareResults } from '../../sessions/replay-compare.ts';
import { compareEffects } from '../../sessions/replay-effects.ts';
import { eventLines, type RecordedCall, type RecordedPrompt, type Script } from '../../sessions/replay-script.ts';
import type { ReplayBench } from './replay-bench.ts';

/** What came of one call. `skipped` says why it was not compared. */
export interface CallReport {
  readonly id: string;
  readonly tool: string;
  /** The prompt, from 1. */
  readonly prompt: number;
  readonly what: 'result' | 'effect';
  readonly outcome: 'equal' | 'different' | 'skipped';
  /** Rules that had to be applied. */
  readonly rules: readonly string[];
  readonly difference: Difference | null;
  readonly skipped: string | null;
}

/** Whether the events of a prompt were the same, beside its results. */
export interface PromptReport {
  readonly prompt: number;
  readonly events: readonly string[];
  readonly difference: Difference | null;
  readonly skipped: string | null;
}

export interface ReplayReport {
  readonly id: string;
  readonly folder: string;
  readonly isCopy: boolean;
  readonly prompts: readonly PromptReport[];
  /** In call order. */
  readonly calls: readonly CallReport[];
  readonly notes: readonly string[];
}

/** The first thing that came out otherwise, or null. */
export function firstDivergence({ calls, prompts }: ReplayReport): CallReport | PromptReport | null {
  return calls.find(({ outcome }) => outcome === 'different') ?? prompts.find(({ difference }) => difference !== null) ?? null;
}

interface CallPlace {
  readonly script: Script;
  readonly events: readonly AgentEvent[];
  readonly bench: ReplayBench;
}

/** Compares the result of a call, then what it did to files. */
export function reportCall(id: string, { script, events, bench }: CallPlace): CallReport {
  const call = script.calls.get(id);
  if (call === undefined) throw new Error(`${id} is no call of the session`);
  const now = resultIn(events, id);
  const prompt = script.prompts[call.prompt - 1]?.number ?? call.prompt;
  const base = { id, tool: call.name, prompt } as const;
  const skipped = call.result === null ? 'the session holds no result of it' : skippedBecause(call, call.result);
  if (skipped !== null || call.result === null)
    return { ...base, what: 'result', outcome: 'skipped', rules: [], difference: null, skipped };
  const compared = now === null ? notRun(call.result) : compareResults(call.result, now, bench.places);
  // Where undo is off nothing tells what calls did.
  if (compared.type === 'different' || bench.effectsThen.effects.length === 0)
    return { ...base, ...reported(compared, 'result') };
  const effects = compareEffects(id, { before: bench.effectsThen, now: bench.effectsNow, places: bench.places });
  if (effects.type === 'different') return { ...base, ...reported(effects, 'effect') };
  return { ...base, ...reported({ type: 'equal', rules: [...new Set([...compared.rules, ...effects.rules])] }, 'result') };
}

/** Compares the events of a prompt with those on record. */
export function reportEvents(prompt: RecordedPrompt, now: readonly string[]): Omit<PromptReport, 'prompt'> {
  const isWhole = prompt.outcome === 'done' || prompt.outcome === 'max_turns';
  if (!isWhole)
    return { events: now, difference: null, skipped: `the run ended otherwise: ${prompt.outcome ?? 'it was broken off'}` };
  const then = eventLines(prompt.records);
  const isSame = then.join('\n') === now.join('\n');
  return { events: now, difference: isSame ? null : firstDifference(then.join('\n'), now.join('\n')), skipped: null };
}

/** What a background command wrote until it was looked at depends on when that was. */
const BACKGROUND_TOOLS: ReadonlySet<string> = new Set(['BashOutput', 'BashKill', 'bash_output', 'bash_kill']);

const NETWORK_TOOLS: ReadonlySet<string> = new Set(['WebFetch', 'web_fetch']);

function skippedBecause({ name }: RecordedCall, { content, isError }: ToolResultBlock): string | null {
  if (BACKGROUND_TOOLS.has(name)) return 'it tells of a background command, as far as that had come';
  if (NETWORK_TOOLS.has(name)) return 'it read from the network, which a replay does without';
  const text = content[0]?.type === 'text' ? content[0].text : '';
  return isError && text.startsWith('Interrupted') ? 'it was interrupted' : null;
}

function reported(
  compared: Comparison,
  what: CallReport['what'],
): Pick<CallReport, 'what' | 'outcome' | 'rules' | 'difference' | 'skipped'> {
  if (compared.type === 'equal') return { what, outcome: 'equal', rules: compared.rules, difference: null, skipped: null };
  return { what, outcome: 'different', rules: [], difference: compared.difference, skipped: null };
}

function notRun(then: ToolResultBlock): Comparison {
  const text = then.content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
  return { type: 'different', difference: { ...firstDifference(text, ''), actual: '(the replay did not come to this call)' } };
}

function resultIn(events: readonly AgentEvent[], id: string): ToolResultBlock | null {
  for (const event of events) {
    if (event.type !== 'message_added' || event.message.role !== 'user') continue;
    for (const block of event.message.content) if (block.type === 'tool_result' && block.toolUseId === id) return block;
  }
  return null;
}
