import type { Agent, UserInput } from '../core/agent.ts';
import { type AgentEvent, isOfSubAgent } from '../core/agent-event.ts';
import { displayText } from '../core/display-text.ts';
import { EventLines } from '../core/event-lines.ts';
import type { ImageBlock } from '../core/message.ts';
import { type Say, sayInEnglish } from './words/say.ts';
import { answerOf, type PermissionRequest, questionLines } from './permission-question.ts';

/** A terminal of lines: what the chat needs of one. */
export interface LineTerminal {
  write(text: string): void;
  /** Null at the end of input, or when interrupted. */
  readLine(prompt: string): Promise<string | null>;
  /** The same for a question: what a person had typed before it appeared does not answer it. */
  readAnswer(prompt: string): Promise<string | null>;
  /** Called at each Ctrl-C while set. */
  onInterrupt(listener: (() => void) | null): void;
}

export interface LineChatOptions {
  readonly terminal: LineTerminal;
  /** Lines to show first. */
  readonly welcome: readonly string[];
  /** The agent that takes a prompt; another one where the prompt asks for a place of its own. */
  agentFor(prompt: string): Promise<{ readonly agent: Agent; readonly notices: readonly string[] }>;
  /** Default: English. */
  readonly say?: Say;
  /** To be sent with the first prompt. */
  readonly images?: readonly ImageBlock[];
  /** Undoes what the last turn did to files, or takes that back; gives lines to show. */
  undo?(verb: 'undo' | 'redo'): Promise<readonly string[]>;
  /** Goes back to the end of a turn; with null it says which there are. Gives lines to show. */
  rewind?(toTurn: number | null): Promise<readonly string[]>;
}

const PROMPT = '> ';

/** A chat in plain lines: streamed text, one line a tool call, questions answered with y, n or a reason. Also the mode for screen readers. True where the person left by interrupting twice. */
export async function runLineChat({
  terminal,
  welcome,
  agentFor,
  undo,
  rewind,
  images = [],
  say = sayInEnglish,
}: LineChatOptions): Promise<boolean> {
  const attached = [...images];
  for (const line of welcome) terminal.write(`${displayText(line)}\n`);
  for (;;) {
    const typed = await terminal.readLine(PROMPT);
    if (typed === null) return false;
    const prompt = typed.trim();
    if (prompt === '') continue;
    if (/^\/?(?:exit|quit)$/.test(prompt)) return false;
    if (/^(?:\/help|\?)$/.test(prompt)) {
      terminal.write(`${say('line_help')}\n`);
      continue;
    }
    if (undo !== undefined && (prompt === '/undo' || prompt === '/redo')) {
      const lines = await undo(prompt === '/undo' ? 'undo' : 'redo');
      for (const line of lines) terminal.write(`${displayText(line)}\n`);
      continue;
    }
    const [, back, toTurn] = /^\/(rewind)(?:\s+(\d{1,6}))?$/.exec(prompt) ?? [];
    if (rewind !== undefined && back !== undefined) {
      const lines = await rewind(toTurn === undefined ? null : Number(toTurn));
      for (const line of lines) terminal.write(`${displayText(line)}\n`);
      continue;
    }
    const { agent, notices } = await agentFor(prompt);
    for (const notice of notices) terminal.write(`${displayText(notice)}\n`);
    const wantsToLeave = await runPrompt(terminal, agent, { prompt: promptWith(prompt, attached.splice(0)), say });
    if (wantsToLeave) return true;
  }
}

function promptWith(text: string, images: readonly ImageBlock[]): UserInput {
  return images.length === 0 ? text : [{ type: 'text', text }, ...images];
}

/** True where the person interrupted twice. */
async function runPrompt(
  terminal: LineTerminal,
  agent: Agent,
  { prompt, say }: { readonly prompt: UserInput; readonly say: Say },
): Promise<boolean> {
  const interrupt = new AbortController();
  let interrupts = 0;
  let leave: (() => void) | null = null;
  const left = new Promise<true>((resolve) => {
    leave = () => resolve(true);
  });
  terminal.onInterrupt(() => {
    interrupts++;
    if (interrupts === 1) {
      terminal.write(`\n${say('interrupted_leave')}\n`);
      interrupt.abort();
    } else leave?.();
  });
  const finished = drain(new ChatScreen(terminal, agent, say), agent.run(prompt, interrupt.signal)).then(() => false as const);
  const hasLeft = await Promise.race([finished, left]);
  terminal.onInterrupt(null);
  return hasLeft;
}

async function drain(screen: ChatScreen, events: AsyncIterable<AgentEvent>): Promise<void> {
  for await (const event of events) screen.accept(event);
}

/** Draws the events of one run as lines. */
class ChatScreen {
  readonly #terminal: LineTerminal;
  readonly #agent: Agent;
  readonly #say: Say;
  readonly #lines = new EventLines();
  #isAtLineStart = true;

  constructor(terminal: LineTerminal, agent: Agent, say: Say) {
    this.#say = say;
    this.#terminal = terminal;
    this.#agent = agent;
  }

  accept(event: AgentEvent): void {
    if (event.type === 'model' && event.event.type === 'text_delta' && !isOfSubAgent(event))
      return this.#write(displayText(event.event.text));
    if (event.type === 'permission_request') return void this.#ask(event);
    for (const line of this.#lines.accept(event)) this.#writeLine(line);
    if (event.type === 'run_end') this.#end(event.outcome);
  }

  #end(outcome: string): void {
    if (outcome === 'max_turns') this.#writeLine(this.#say('end_max_turns'));
    if (outcome === 'refused') this.#writeLine(this.#say('end_refused'));
    this.#write(this.#isAtLineStart ? '' : '\n');
  }

  async #ask(request: PermissionRequest): Promise<void> {
    for (const line of questionLines(request, this.#say)) this.#writeLine(line);
    const typed = await this.#terminal.readAnswer(this.#say('answer_prompt'));
    this.#agent.answer(request.requestId, answerOf(typed, request));
  }

  #writeLine(line: string): void {
    this.#write(`${this.#isAtLineStart ? '' : '\n'}${line}\n`);
  }

  #write(text: string): void {
    if (text === '') return;
    this.#terminal.write(text);
    this.#isAtLineStart = text.endsWith('\n');
  }
}
