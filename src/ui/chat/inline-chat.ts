import type { Agent, UserInput } from '../../core/agent.ts';
import { type AgentEvent, isOfSubAgent } from '../../core/agent-event.ts';
import { AgentError, messageOf } from '../../core/errors.ts';
import { type ImageBlock, textOf } from '../../core/message.ts';
import { commandsOf } from '../commands/builtin.ts';
import type { ChatCommand } from '../commands/command.ts';
import { imageMarksIn, showPastes } from '../editor/pastes.ts';
import { createKeyReader } from '../keys/key-reader.ts';
import { createTheme, type Theme, THEME_CHOICES, type ThemeChoice } from '../theme.ts';
import { ASK_BACKGROUND, backgroundOf } from '../background.ts';
import type { Key } from '../keys/key.ts';
import type { Preferences } from '../preferences.ts';
import { Attention, type Signals } from './attention.ts';
import type { Say } from '../words/say.ts';
import type { MakeRenderer } from './answer-stream.ts';
import type { Block } from './blocks.ts';
import { ChatStore } from './chat-store.ts';
import { wishOf } from './reduce-key.ts';
import type { ChatSession } from './session-port.ts';
import type { ChatHost, TerminalPort } from './terminal-port.ts';
import type { Wish } from './wish.ts';

export interface InlineChatOptions {
  readonly terminal: TerminalPort;
  readonly host: ChatHost;
  /** What is drawn before anything is known of the terminal's background. */
  readonly theme: Theme;
  /** In which language it speaks before the person's settings are known. */
  readonly say: Say;
  /** What the terminal can be told, by the person's settings. */
  signalsOf(preferences: Preferences): Signals;
  /** What draws answers; it is loaded behind the first frame. */
  loadRenderer(): Promise<MakeRenderer>;
  /** Called after the first frame. What it does `aside` has the terminal to itself. Errors: AgentError. */
  openSession(aside: Aside): Promise<ChatSession>;
  /** To be sent with the first prompt. */
  readonly images?: readonly ImageBlock[];
  /** What to do first. */
  readonly prompt: string | null;
}

/** Runs something while nothing is drawn and no key is taken. */
export type Aside = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs the chat until the person leaves. Resolves to the exit code. Errors: AgentError where no session can be opened. */
export async function runInlineChat(options: InlineChatOptions): Promise<number> {
  const chat = new InlineChat(options);
  try {
    return await chat.run();
  } finally {
    await chat.close();
  }
}

const FILES = /^(?:EditFile|patch_file|WriteFile|write_file|ApplyPatch|apply_patch)$/;
const WRITES = /^(?:WriteFile|write_file)$/;
const INTERRUPTED = 130;

/** Fulfils what the state of the chat asks for. */
class InlineChat {
  readonly #options: InlineChatOptions;
  readonly #store: ChatStore;
  readonly #attention: Attention;
  #themeChoice: ThemeChoice = 'auto';
  #background: 'dark' | 'light' | null = null;
  readonly #left = Promise.withResolvers<number>();
  #session: ChatSession | null = null;
  #commands: readonly ChatCommand[] = [];
  #agent: Agent | null = null;
  #abort: AbortController | null = null;
  /** What the person ran since the last prompt; the model reads it with the next. */
  #ranByPerson: string[] = [];

  constructor(options: InlineChatOptions) {
    const { terminal, theme, say, host } = options;
    this.#options = options;
    this.#attention = new Attention({
      write: (bytes) => void terminal.write(bytes),
      now: () => host.now(),
      signals: options.signalsOf({}),
    });
    this.#store = new ChatStore({
      terminal,
      theme,
      say,
      now: () => host.now(),
      onChange: (state) => this.#attention.follow(state),
      onWish: (wish) => void this.#fulfil(wish).catch((thrown: unknown) => this.#tell(thrown)),
    });
  }

  async run(): Promise<number> {
    const { terminal, host, prompt } = this.#options;
    const onKey = (key: Key): void => {
      this.#attention.keyPressed();
      this.#store.dispatch({ type: 'key', key, nowMs: host.now() });
    };
    terminal.onData(createKeyReader(onKey, (report) => this.#learn(report)));
    terminal.start();
    this.#store.screen.draw();
    if (terminal.tellsBackground) terminal.write(ASK_BACKGROUND);
    const opened = this.#open(prompt);
    // A session that cannot be opened ends the chat; one that is opened does not.
    return Promise.race([this.#left.promise, opened.then(() => this.#left.promise)]);
  }

  async close(): Promise<void> {
    this.#abort?.abort();
    this.#store.close();
    this.#attention.close();
    this.#options.terminal.stop();
    await this.#session?.close();
  }

  async #open(prompt: string | null): Promise<void> {
    const history = this.#options.host.loadHistory();
    const session = await this.#options.openSession((work) => this.#aside(work));
    this.#store.useRenderer(await this.#options.loadRenderer());
    this.#store.dispatch({ type: 'history', history: await history });
    this.#enter(session);
    const images = this.#options.images ?? [];
    if (images.length > 0 && !this.#refusesImages()) for (const image of images) this.#store.dispatch({ type: 'image', image });
    if (prompt !== null) this.#queueWithInput(prompt);
    this.#runNext();
  }

  /** The first prompt, with the images that came with it. */
  #queueWithInput(prompt: string): void {
    const marks = imageMarksIn(this.#store.state.input.buffer.text).join(' ');
    if (marks !== '') this.#store.dispatch({ type: 'text', text: '' });
    const text = marks === '' ? prompt : `${prompt} ${marks}`;
    this.#store.dispatch({ type: 'queued', prompt: text, shown: showPastes(text, new Map()) });
  }

  /** What the terminal tells of its colours. */
  #learn(report: string): void {
    const background = backgroundOf(report);
    if (background === null) return;
    this.#background = background;
    this.#applyTheme();
  }

  #choose(choice: ThemeChoice): void {
    this.#themeChoice = choice;
    this.#applyTheme();
  }

  #applyTheme(): void {
    const { theme } = this.#options;
    // Without colours at the start there are none later, unless they are asked for by name.
    const automatic = theme.isColored && this.#background !== null ? this.#background : null;
    const name = this.#themeChoice === 'auto' ? automatic : this.#themeChoice;
    const next = name === null ? theme : createTheme(name, { hasLinks: theme.hasLinks });
    this.#store.dispatch({ type: 'theme', theme: next });
  }

  #enter(session: ChatSession): void {
    this.#session = session;
    const { preferences = {} } = session;
    const wanted = THEME_CHOICES.find((choice) => choice === preferences.theme);
    if (wanted !== undefined && this.#options.theme.isColored) this.#choose(wanted);
    this.#attention.use(this.#options.signalsOf(preferences), this.#store.state);
    if (session.say !== undefined) this.#store.dispatch({ type: 'language', say: session.say });
    this.#commands = commandsOf(session, this.#store.state.say);
    this.#store.dispatch({ type: 'session', facts: session.facts, commands: this.#commands });
    this.#block({ type: 'welcome', lines: session.welcome });
  }

  async #fulfil(wish: Wish): Promise<void> {
    const { terminal, host } = this.#options;
    switch (wish.type) {
      case 'run':
        return this.#runPrompt(wish.prompt, wish.shown);
      case 'shell':
        return this.#runShell(wish.command);
      case 'command':
        return this.#runCommand(wish.name, wish.argument);
      case 'remember':
        return host.addHistory(wish.text);
      case 'answer':
        return this.#agent?.answer(wish.requestId, wish.answer);
      case 'steer':
        return this.#agent?.steer(wish.text);
      case 'interrupt':
        return this.#abort?.abort();
      case 'leave':
        return this.#left.resolve(this.#abort === null ? 0 : INTERRUPTED);
      case 'suspend':
        this.#store.screen.pause();
        await terminal.suspend();
        return this.#store.screen.resume();
      case 'repaint':
        return this.#store.screen.scrollAway();
      case 'list_files':
        return this.#store.dispatch({ type: 'files', files: await host.listFiles() });
      case 'rewind':
        return this.#rewind(wish);
      case 'paste_image':
        return this.#pasteImage();
      case 'attach':
        return this.#attach(wish.path, wish.text);
      case 'edit_text':
        return this.#editText(wish.text);
    }
  }

  async #rewind({ toTurn, part, prompt }: Extract<Wish, { type: 'rewind' }>): Promise<void> {
    const lines = (await this.#session?.rewind?.({ toTurn, part })) ?? [];
    this.#block({ type: 'lines', lines });
    if (part !== 'files') this.#store.dispatch({ type: 'text', text: prompt.replace(NOTES, '') });
  }

  async #pasteImage(): Promise<void> {
    if (this.#refusesImages()) return;
    const image = await this.#options.host.clipboardImage();
    if (image === null) this.#hint(this.#say('no_clipboard_image'));
    else this.#store.dispatch({ type: 'image', image });
  }

  /** What is no image after all is text as any other. */
  async #attach(path: string, text: string): Promise<void> {
    if (this.#store.state.session?.seesImages !== true) return this.#store.dispatch({ type: 'inserted', text });
    const image = await this.#options.host.readImage(path).catch(() => null);
    this.#store.dispatch(image === null ? { type: 'inserted', text } : { type: 'image', image });
  }

  #refusesImages(): boolean {
    const { session, say } = this.#store.state;
    if (session === null || session.seesImages) return false;
    this.#block({ type: 'notice', text: say('no_images', { model: session.model }) });
    return true;
  }

  async #editText(text: string): Promise<void> {
    const edited = await this.#aside(() => this.#options.host.editText(text));
    if (edited === null) this.#hint(this.#say('hint_editor'));
    else this.#store.dispatch({ type: 'text', text: edited.replace(/\n+$/, '') });
  }

  async #aside<T>(work: () => Promise<T>): Promise<T> {
    const { terminal } = this.#options;
    this.#store.screen.pause();
    terminal.stop();
    try {
      return await work();
    } finally {
      terminal.start();
      this.#store.screen.resume();
    }
  }

  async #runPrompt(prompt: string, shown: string): Promise<void> {
    const session = this.#session;
    if (session === null) return;
    if (imageMarksIn(prompt).length > 0 && this.#refusesImages()) return this.#store.dispatch({ type: 'text', text: prompt });
    await this.#whileRunning({ type: 'prompt', text: shown, mark: '>' }, async (signal) => {
      const { agent, notices } = await session.agentFor(prompt);
      for (const text of notices) this.#block({ type: 'notice', text });
      this.#agent = agent;
      for await (const event of agent.run(this.#promptWithNotes(prompt), signal)) await this.#accept(event);
    });
  }

  #promptWithNotes(prompt: string): UserInput {
    const notes = this.#ranByPerson.splice(0);
    const { images } = this.#store.state;
    const attached = imageMarksIn(prompt).flatMap((mark) => images.get(mark) ?? []);
    const shown = showPastes(prompt, new Map());
    if (attached.length + notes.length === 0) return shown;
    const text = (words: string) => ({ type: 'text', text: words }) as const;
    return [text(shown), ...attached, ...notes.map(text)];
  }

  async #runShell(command: string): Promise<void> {
    const session = this.#session;
    if (session?.runCommand === undefined) return this.#hint(this.#say('hint_no_shell'));
    await this.#whileRunning({ type: 'prompt', text: command, mark: '!' }, async (signal) => {
      for await (const event of session.runCommand?.(command, signal) ?? []) {
        await this.#accept(event);
        if (event.type === 'tool_result') this.#ranByPerson.push(noteOf(command, textOf(event.result.content)));
      }
    });
  }

  /** One thing at a time; when it is over, what was queued has its turn. */
  async #whileRunning(block: Block | null, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#store.dispatch({ type: 'run_started', block, nowMs: this.#options.host.now() });
    try {
      await work(abort.signal);
    } catch (thrown) {
      this.#tell(thrown);
    } finally {
      this.#store.endText();
      this.#abort = null;
      this.#agent = null;
      this.#store.dispatch({ type: 'run_ended' });
    }
    this.#runNext();
  }

  #runNext(): void {
    const [next] = this.#store.state.queue;
    if (next === undefined || this.#abort !== null || this.#session === null) return;
    this.#store.dispatch({ type: 'dequeued' });
    void this.#fulfil(wishOf(next)).catch((thrown: unknown) => this.#tell(thrown));
  }

  async #accept(event: AgentEvent): Promise<void> {
    if (isOfSubAgent(event)) {
      return this.#store.dispatch({ type: 'agent', event, nowMs: this.#options.host.now(), patch: null, before: null });
    }
    if (event.type === 'model' && event.event.type === 'text_delta') this.#store.addText(event.event.text);
    else if (event.type !== 'model' || ENDS_TEXT.has(event.event.type)) this.#store.endText();
    const patch = event.type === 'tool_result' && FILES.test(event.name) ? await this.#patchOf(event.toolUseId) : null;
    const before =
      event.type === 'permission_request' && WRITES.test(event.name) ? await this.#options.host.readText(event.subject) : null;
    this.#store.dispatch({ type: 'agent', event, nowMs: this.#options.host.now(), patch, before });
  }

  /** What a call changed. That it cannot be told is no reason to stop. */
  async #patchOf(toolUseId: string): Promise<string | null> {
    return this.#session?.diff?.({ type: 'call', toolUseId }).catch(() => null) ?? null;
  }

  async #runCommand(name: string, argument: string): Promise<void> {
    const command = this.#commands.find((candidate) => candidate.name === name);
    const session = this.#session;
    if (command === undefined || session === null)
      return this.#block({ type: 'lines', lines: [this.#say('no_command', { name })] });
    if (this.#abort !== null && !command.worksWhileBusy) return this.#hint(this.#say('hint_busy', { name }));
    await command.run({
      argument: argument.trim(),
      state: this.#store.state,
      session,
      commands: this.#commands,
      show: (block) => this.#block(block),
      chooseTheme: (choice) => this.#choose(choice),
      themeChoice: this.#themeChoice,
      enter: (next) => this.#enter(next),
      write: (bytes) => void this.#options.terminal.write(bytes),
      leave: () => this.#left.resolve(0),
      prompt: (text, shown) => {
        this.#store.dispatch({ type: 'queued', prompt: text, shown });
        this.#runNext();
      },
      follow: (work) =>
        this.#whileRunning(null, async (signal) => {
          for await (const event of work(signal)) await this.#accept(event);
        }),
      pick: (picker) => this.#store.dispatch({ type: 'pick', picker }),
    });
  }

  #say: Say = (key, values) => this.#store.state.say(key, values);

  #block(block: Block): void {
    this.#store.dispatch({ type: 'block', block });
  }

  #hint(text: string): void {
    this.#store.dispatch({ type: 'hint', text, untilMs: this.#options.host.now() + 3000 });
  }

  #tell(thrown: unknown): void {
    const error =
      thrown instanceof AgentError
        ? { code: thrown.code, message: thrown.message, remedy: thrown.remedy }
        : ({
            code: 'internal',
            message: this.#say('broken', { what: messageOf(thrown) }),
            remedy: this.#say('broken_remedy'),
          } as const);
    this.#block({ type: 'error', error });
  }
}

const ENDS_TEXT: ReadonlySet<string> = new Set(['block_end', 'tool_use_start', 'message_end', 'message_failed']);
const MAX_NOTE_CHARS = 10_000;
/** What stands behind a prompt as it was sent. */
const NOTES = /\n<person_ran_command>\n[\s\S]*$/;

function noteOf(command: string, answer: string): string {
  return `<person_ran_command>\n${command}\n${answer.slice(0, MAX_NOTE_CHARS)}\n</person_ran_command>`;
}
