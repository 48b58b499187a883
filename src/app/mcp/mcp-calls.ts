import type { Asker, Question } from '../../calls/permit-call.ts';
import { ToolRunner, type ToolRunnerOptions } from '../../calls/run-tools.ts';
import type { AgentEventBody } from '../../core/agent-event.ts';
import type { ToolFormats } from '../../core/dialect.ts';
import { describeWhole } from '../../core/describe-input.ts';
import { displayText } from '../../core/display-text.ts';
import { messageOf } from '../../core/errors.ts';
import { shortHash } from '../../core/hash.ts';
import type { ToolUseBlock } from '../../core/message.ts';
import type { EffectJournal } from '../../core/ports.ts';
import type { ToolRegistry } from '../../core/registry.ts';
import type { SessionLog } from '../../core/session.ts';
import { fail, type ToolResult } from '../../core/tool-result.ts';
import type { CallAnswer, CallOutcome, ServedCall, ServedTools } from '../../mcp/server/served-tools.ts';
import { renderOffer } from '../../permissions/rules/rules.ts';
import { CallRecord, type CallRecorder } from './mcp-record.ts';

export interface McpCallsOptions {
  readonly registry: ToolRegistry;
  readonly log: Pick<SessionLog, 'append' | 'flush'>;
  readonly journal: EffectJournal;
  readonly tools: Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps' | 'journal'>;
  readonly steps: ToolRunnerOptions['steps'];
  readonly recorder: CallRecorder;
  /** Tells whoever runs the server a line. */
  notify(text: string): void;
}

/** A form has one text and nothing to look further with: what does not fit is not asked. */
const MAX_FORM_CHARS = 30_000;
const TOO_LONG = `it is longer than a form can show (${MAX_FORM_CHARS} characters), so that nobody could see what they allow; in smaller calls each can be asked`;
const NOBODY = 'through this client nobody can be asked';

/**
 * The calls of a client, each a turn of the session. What may change something runs one call at a time, in the order of arrival, so that
 * each change belongs to its turn; what only reads runs beside. A question ends its call, and the answer starts it again: nothing waits
 * for a client that may never come back.
 */
export class McpCalls implements ServedTools {
  readonly #options: McpCallsOptions;
  readonly #closing = new AbortController();
  #lane: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(options: McpCallsOptions) {
    this.#options = options;
  }

  list(): readonly ToolFormats['mcp'][] {
    return this.#options.registry.toAPIFormat('mcp');
  }

  async call(request: ServedCall): Promise<CallOutcome> {
    const { registry, recorder } = this.#options;
    const call: ToolUseBlock = {
      type: 'tool_use',
      id: `mcp_${++this.#count}`,
      wireId: null,
      name: request.name,
      input: request.input,
    };
    const record = new CallRecord(recorder, call, request.client);
    // What is no tool changes nothing.
    if (registry.get(call.name)?.isReadOnly === false) return this.#inLane(() => this.#run(call, request, record));
    return this.#run(call, request, record);
  }

  /** Ends what runs and resolves when all of it has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lane;
  }

  #inLane<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lane.then(work);
    this.#lane = done.catch(() => undefined);
    return done;
  }

  async #run(call: ToolUseBlock, request: ServedCall, record: CallRecord): Promise<CallOutcome> {
    const desk = new AnswerDesk(request.answer);
    const result = await this.#execute(call, request, { record, desk });
    const { question } = desk;
    if (question === null) return this.#finish(call, record, result);
    const details = describeWhole(question.input, MAX_FORM_CHARS);
    if (request.canAsk && details !== null && !request.signal.aborted)
      return { type: 'question', question: questionOf(question, details) };
    const { because } = question.judgement;
    record.add({ type: 'permission_decided', toolUseId: call.id, name: call.name, by: 'headless', decision: 'deny', because });
    return this.#finish(call, record, fail(refusalOf(question, request.canAsk ? TOO_LONG : NOBODY)));
  }

  async #execute(
    call: ToolUseBlock,
    { signal, progress }: ServedCall,
    { record, desk }: { readonly record: CallRecord; readonly desk: AnswerDesk },
  ): Promise<ToolResult> {
    const { tools, registry, steps, journal, notify } = this.#options;
    const runner = new ToolRunner({
      ...tools,
      registry,
      steps,
      ask: desk.ask,
      journal: {
        started: async (started, scope) => {
          // The session holds a call before it has any effect.
          record.begin();
          await journal.started(started, scope);
        },
        finished: (finished, result) => journal.finished(finished, result),
      },
    });
    const emit = (event: AgentEventBody): void => {
      if (event.type === 'tool_progress') progress(event.text);
      else if (event.type === 'notice') notify(event.text);
      else if (desk.question === null) record.add(event);
      if (event.type === 'error') notify(`${event.error.message} ${event.error.remedy}`);
    };
    const round = runner.startRound(AbortSignal.any([signal, this.#closing.signal]), emit);
    round.add(call, false);
    round.commit();
    const [result] = await round.results();
    return result ?? fail('The call has no result.');
  }

  async #finish(call: ToolUseBlock, record: CallRecord, result: ToolResult): Promise<CallOutcome> {
    const write = async (): Promise<void> => {
      record.end({ type: 'tool_result', toolUseId: call.id, content: result.content, isError: result.isError });
      await this.#options.log.flush().catch((thrown: unknown) => this.#options.notify(messageOf(thrown)));
    };
    // A call that has begun in the session is in the lane already; any other waits there until no turn is open.
    if (record.hasBegun) await write();
    else void this.#inLane(write).catch((thrown: unknown) => this.#options.notify(messageOf(thrown)));
    return { type: 'result', result };
  }
}

/** Answers the one question that a person was asked, and keeps any other. */
class AnswerDesk {
  readonly #answer: CallAnswer | null;
  question: Question | null = null;

  constructor(answer: CallAnswer | null) {
    this.#answer = answer;
  }

  readonly ask: Asker = async (question) => {
    const answer = this.#answer;
    if (answer?.fingerprint !== fingerprintOf(question)) {
      this.question = question;
      return { type: 'deny' };
    }
    if (answer.type === 'allow') return { type: 'allow', scope: 'once' };
    return answer.reason === undefined ? { type: 'deny' } : { type: 'deny', reason: answer.reason };
  };
}

function questionOf(question: Question, details: readonly string[]): Extract<CallOutcome, { type: 'question' }>['question'] {
  const { name, judgement } = question;
  return { name, details, parts: judgement.parts, offers: judgement.offers, fingerprint: fingerprintOf(question) };
}

/** All that a person was shown, and what they would grant with it. */
function fingerprintOf({ name, input, judgement: { parts, grant } }: Question): string {
  return shortHash(JSON.stringify([name, input, parts, grant]));
}

function refusalOf({ name, judgement: { because, offers } }: Question, why: string): string {
  const rules = offers.slice(0, 2).map(renderOffer).map(displayText);
  const way =
    rules.length === 0
      ? 'No rule can allow it here; the person who runs this server would have to do it themselves.'
      : `The person who runs this server can allow it with the rule ${rules.join(' or ')}, by --allowed-tools or under permissions.allow in their settings.`;
  return `${name} was not run: it needs a permission (${because}), and ${why}. ${way} Go on without it, or tell them.`;
}
