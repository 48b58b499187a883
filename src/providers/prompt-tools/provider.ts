import { shortHash } from '../../core/hash.ts';
import { textOf } from '../../core/message.ts';
import type { ModelEvent, ModelRequest, Provider } from '../../core/model.ts';
import { asPlainHistory } from './history.ts';
import { describeTools, type Marks, marksOf, readAnswer } from './protocol.ts';

/**
 * Tools for a model that has none: it is told of them in words and writes its calls as text, in one strict form. For models that were
 * chosen for it only; one with tools of its own is better off with those.
 */
export function withPromptTools(provider: Provider): Provider {
  return {
    ...provider,
    marksCallEnd: false,
    readsCallsFromText: true,
    stream: (request) => streamCalls(provider, request, marksFor(request)),
  };
}

const CODE_DIGITS = 12;

/**
 * The same for a session in every process, so that it sends the same bytes again and caches hold. Whoever wrote a file that the model
 * reads knows neither the system prompt nor what the user asked first, and so cannot write the code into it.
 */
function marksFor({ system, messages }: ModelRequest): Marks {
  const first = messages.find(({ role }) => role === 'user');
  const asked = first === undefined ? '' : textOf(first.content);
  return marksOf(shortHash(JSON.stringify(['wield prompt tools', system, asked])).slice(0, CODE_DIGITS));
}

async function* streamCalls(provider: Provider, request: ModelRequest, marks: Marks): AsyncGenerator<ModelEvent> {
  const answer = new WrittenAnswer(marks);
  const system = [request.system, describeTools(request.tools, marks)].filter((part) => part !== '').join('\n\n');
  const plain = { ...request, system, tools: [], messages: asPlainHistory(request.messages, marks) };
  for await (const event of provider.stream(plain)) {
    if (event.type === 'text_delta') yield* answer.add(event);
    else if (event.type === 'message_end') yield* answer.end(event);
    else if (event.type !== 'block_end') yield event;
  }
}

type TextDelta = Extract<ModelEvent, { type: 'text_delta' | 'thinking_delta' }>;
type MessageEnd = Extract<ModelEvent, { type: 'message_end' }>;

/** Text that is shown as it comes, up to where a call may start. */
class WrittenAnswer {
  readonly #marks: Marks;
  #text = '';
  #shown = 0;
  #index = 0;

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  *add(event: TextDelta): Generator<ModelEvent> {
    this.#text += event.text;
    this.#index = event.index;
    yield* this.#show(this.#endOfText());
  }

  *end(event: MessageEnd): Generator<ModelEvent> {
    const read = readAnswer(this.#text, this.#marks);
    // Of a message that was cut nothing runs, whatever its last call looks like.
    if (event.state === 'cut' || 'problem' in read) {
      yield* event.state === 'cut' ? [event] : [malformed('problem' in read ? read.problem : '', event)];
      return;
    }
    yield* this.#show(read.calls.length === 0 ? this.#text.length : this.#endOfText());
    for (const [i, { name, input }] of read.calls.entries()) {
      const index = this.#index + 1 + i;
      yield { type: 'tool_use_start', index, wireId: null, name };
      yield { type: 'tool_use', index, name, input };
      yield { type: 'block_end', index };
    }
    yield read.calls.length === 0 ? event : { ...event, stopReason: 'tool_use' };
  }

  /** Where the first call starts, or what may become the mark of one. */
  #endOfText(): number {
    const { open } = this.#marks;
    const start = this.#text.indexOf(open);
    if (start !== -1) return start;
    for (let length = Math.min(open.length - 1, this.#text.length); length > 0; length--)
      if (this.#text.endsWith(open.slice(0, length))) return this.#text.length - length;
    return this.#text.length;
  }

  *#show(end: number): Generator<ModelEvent> {
    if (end <= this.#shown) return;
    yield { type: 'text_delta', index: this.#index, text: this.#text.slice(this.#shown, end) };
    this.#shown = end;
  }
}

function malformed(problem: string, { usage }: MessageEnd): ModelEvent {
  const error = {
    kind: 'malformed_call',
    message: `The model wrote a call that is not of the form: ${problem}.`,
    status: null,
  } as const;
  return { type: 'message_failed', error, retryable: true, usage };
}
