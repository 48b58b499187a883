import { createAgent } from '../../agent/create-agent.ts';
import type { Agent } from '../../core/agent.ts';
import { type AgentEvent, isOfSubAgent } from '../../core/agent-event.ts';
import { AgentError } from '../../core/errors.ts';
import { mapTexts } from '../../core/steady-text.ts';
import type { PermissionAnswer } from '../../core/permission.ts';
import type { Provider } from '../../core/model.ts';
import type { SessionLog } from '../../core/session.ts';
import { replayModel } from '../../sessions/replay-model.ts';
import type { Recording } from '../../sessions/replay-recording.ts';
import { eventLines, readScript, type RecordedReply, type Script } from '../../sessions/replay-script.ts';
import { DIRECT_STEPS } from '../direct-steps.ts';
import { openReplayBench, type ReplayBench, type ReplayRequest } from './replay-bench.ts';
import { type CallReport, type PromptReport, reportCall, reportEvents, type ReplayReport } from './replay-report.ts';

export type { CallReport, PromptReport, ReplayReport, ReplayRequest };

/**
 * Runs a session again without its model, and compares every result and effect. Tools run for real, in a copy of the files that it
 * started from. Errors: AgentError `replay_impossible` where that is not on record.
 */
export async function replaySession(recording: Recording, request: ReplayRequest): Promise<ReplayReport> {
  const script = readScript(recording.records);
  if (script.prompts.length === 0) throw impossible(`The session ${recording.id} holds no prompt.`);
  assertComplete(script);
  const bench = await openReplayBench(recording, script, request);
  try {
    const prompts: PromptReport[] = [];
    const calls: CallReport[] = [];
    for (const [i, prompt] of script.prompts.entries()) {
      bench.startFrom(prompt);
      const events = await runPrompt(i + 1, script, { bench, signal: request.signal });
      await bench.settle();
      prompts.push({
        prompt: prompt.number,
        ...reportEvents(prompt, eventLines(events.filter((event) => !isOfSubAgent(event)))),
      });
      for (const { id } of [...script.calls.values()].filter((call) => call.prompt === i + 1))
        calls.push(reportCall(id, { script, events, bench }));
      if (request.signal.aborted) break;
    }
    return {
      id: recording.id,
      folder: bench.root,
      isCopy: request.folder === null,
      prompts,
      calls,
      notes: [...noteOnRewound(recording), ...bench.notes],
    };
  } finally {
    await bench.close();
  }
}

function noteOnRewound({ rewound }: Recording): readonly string[] {
  return rewound.length === 0 ? [] : [`Not played, since rewound: turn ${rewound.join(', ')}.`];
}

/** What was written before 2026-12 may lack what a person typed over a call. */
function assertComplete({ calls }: Script): void {
  const edited = [...calls.values()].find(
    ({ decision }) => decision?.because === 'allowed with an edited input' && decision.editedInput === undefined,
  );
  if (edited !== undefined)
    throw impossible(
      `The session does not hold the input that a person gave to ${edited.name} (${edited.id}) in place of the model's.`,
    );
}

interface RunPlace {
  readonly bench: ReplayBench;
  readonly signal: AbortSignal;
}

/** An agent of its own for each prompt: whether somebody could be asked may have changed between them. */
async function runPrompt(number: number, script: Script, { bench, signal }: RunPlace): Promise<readonly AgentEvent[]> {
  const prompt = script.prompts[number - 1];
  if (prompt === undefined) throw new Error(`${number} is no prompt of the session`);
  const modelOf = (replies: readonly RecordedReply[]): Provider => replayModel(replies.map((reply) => movedReply(reply, bench)));
  const callsHere = [...script.calls.values()].filter((call) => call.prompt === number);
  const events: AgentEvent[] = [];
  const log: SessionLog = {
    id: 'replay',
    append: (event) => void events.push(event),
    flush: async () => undefined,
    close: async () => undefined,
  };
  const agent = createAgent({
    provider: modelOf(prompt.replies),
    subAgents: { providerFor: (id) => modelOf(script.tasks.get(id)?.replies ?? []) },
    model: prompt.replies[0]?.message.model ?? 'replay',
    system: '',
    registry: bench.registry,
    log,
    steps: DIRECT_STEPS,
    todos: bench.todos,
    jobs: bench.jobs,
    canAsk: !callsHere.some(({ decision }) => decision?.by === 'headless'),
    ...(prompt.outcome === 'max_turns' ? { maxTurns: Math.max(1, prompt.replies.length) } : {}),
    tools: bench.tools,
  });
  const content = prompt.content.flatMap((block) => (block.type === 'tool_result' ? [] : [block]));
  for await (const event of agent.run(content, signal))
    if (event.type === 'permission_request') answer(agent, event, { script, bench });
  return events;
}

function answer(
  agent: Agent,
  { requestId, toolUseId }: Extract<AgentEvent, { type: 'permission_request' }>,
  { script, bench }: { readonly script: Script; readonly bench: ReplayBench },
): void {
  agent.answer(requestId, answerOf(script, toolUseId, bench));
}

/** What the person said then; nobody is asked again. */
function answerOf({ calls }: Script, id: string, bench: ReplayBench): PermissionAnswer {
  const decision = calls.get(id)?.decision ?? null;
  if (decision?.decision !== 'allow') {
    const reason = decision?.because ?? 'denied';
    return reason === 'denied' ? { type: 'deny' } : { type: 'deny', reason: bench.moved(reason) };
  }
  const { editedInput } = decision;
  return {
    type: 'allow',
    scope: 'once',
    ...(editedInput === undefined ? {} : { editedInput: mapTexts(editedInput, bench.moved) }),
  };
}

function movedReply({ message, stopReason }: RecordedReply, bench: ReplayBench): RecordedReply {
  return { message: mapTexts(message, bench.moved), stopReason };
}

function impossible(message: string): AgentError {
  return new AgentError({
    code: 'replay_impossible',
    message,
    remedy: 'Only a session that is whole can be replayed; see docs/replay.md.',
  });
}
