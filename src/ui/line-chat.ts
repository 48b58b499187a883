import type { Agent } from '../core/agent.ts';
import type { AgentEvent } from '../core/agent-event.ts';
import { displayLine, displayText } from '../core/display-text.ts';
import { EventLines } from '../core/event-lines.ts';
import type { PermissionAnswer, PermissionRule } from '../core/permission.ts';

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
}

const PROMPT = '> ';
const HELP = 'Type what you want done, in any language. exit or Ctrl-D leaves; Ctrl-C interrupts, twice leaves.';

/** A chat in plain lines: streamed text, one line a tool call, questions answered with y, n or a reason. Also the mode for screen readers. True where the person left by interrupting twice. */
export async function runLineChat({ terminal, welcome, agentFor }: LineChatOptions): Promise<boolean> {
  for (const line of welcome) terminal.write(`${displayText(line)}\n`);
  for (;;) {
    const typed = await terminal.readLine(PROMPT);
    if (typed === null) return false;
    const prompt = typed.trim();
    if (prompt === '') continue;
    if (/^\/?(?:exit|quit)$/.test(prompt)) return false;
    if (/^(?:\/help|\?)$/.test(prompt)) {
      terminal.write(`${HELP}\n`);
      continue;
    }
    const { agent, notices } = await agentFor(prompt);
    for (const notice of notices) terminal.write(`${displayText(notice)}\n`);
    const wantsToLeave = await runPrompt(terminal, agent, prompt);
    if (wantsToLeave) return true;
  }
}

/** True where the person interrupted twice. */
async function runPrompt(terminal: LineTerminal, agent: Agent, prompt: string): Promise<boolean> {
  const interrupt = new AbortController();
  let interrupts = 0;
  let leave: (() => void) | null = null;
  const left = new Promise<true>((resolve) => {
    leave = () => resolve(true);
  });
  terminal.onInterrupt(() => {
    interrupts++;
    if (interrupts === 1) {
      terminal.write('\nInterrupted; Ctrl-C again leaves.\n');
      interrupt.abort();
    } else leave?.();
  });
  const finished = drain(new ChatScreen(terminal, agent), agent.run(prompt, interrupt.signal)).then(() => false as const);
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
  readonly #lines = new EventLines();
  #isAtLineStart = true;

  constructor(terminal: LineTerminal, agent: Agent) {
    this.#terminal = terminal;
    this.#agent = agent;
  }

  accept(event: AgentEvent): void {
    if (event.type === 'model' && event.event.type === 'text_delta') return this.#write(displayText(event.event.text));
    if (event.type === 'permission_request') return void this.#ask(event);
    for (const line of this.#lines.accept(event)) this.#writeLine(line);
    if (event.type === 'run_end') this.#end(event.outcome);
  }

  #end(outcome: string): void {
    if (outcome === 'max_turns') this.#writeLine('Stopped at the turn limit; say "go on" to continue.');
    if (outcome === 'refused') this.#writeLine('The model declined to answer.');
    this.#write(this.#isAtLineStart ? '' : '\n');
  }

  async #ask(request: Extract<AgentEvent, { type: 'permission_request' }>): Promise<void> {
    const reasons = request.parts.filter((part) => part.decision === 'ask').map((part) => part.because);
    this.#writeLine(`May ${displayLine(request.name)} run?`);
    for (const line of request.details) this.#writeLine(`  ${line}`);
    this.#writeLine(`  because ${displayLine([...new Set(reasons)].join('; '), 400)}`);
    const offer = request.offers[0];
    const always = offer === undefined ? '' : `, a = yes, and ${displayLine(ruleText(offer), 200)} for this session`;
    const typed = await this.#terminal.readAnswer(`  y = yes${always}, n or anything else = no (your words go to the model): `);
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

/** A rule as it is written. */
function ruleText({ tool, specifier }: PermissionRule): string {
  return specifier === null ? `every ${tool}` : `${tool}(${specifier})`;
}

/** An untouched Enter denies. */
function answerOf(typed: string | null, { offers }: Extract<AgentEvent, { type: 'permission_request' }>): PermissionAnswer {
  const word = typed?.trim().toLowerCase() ?? '';
  if (/^(?:y|yes|是|好|可以)$/.test(word)) return { type: 'allow', scope: 'once' };
  const rule = offers[0];
  if (/^(?:a|always)$/.test(word) && rule !== undefined) return { type: 'allow', scope: 'session', rule };
  return word === '' || /^(?:n|no|不|否)$/.test(word) ? { type: 'deny' } : { type: 'deny', reason: typed?.trim() ?? '' };
}
