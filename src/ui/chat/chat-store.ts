import { InlineScreen } from '../inline/inline-screen.ts';
import type { Frame } from '../inline/paint.ts';
import type { Theme } from '../theme.ts';
import type { Say } from '../words/say.ts';
import { viewChat } from '../view/view.ts';
import { AnswerStream, type MakeRenderer, plainRenderer } from './answer-stream.ts';
import { type ChatEvent, reduceChat } from './reduce.ts';
import { type ChatState, createChatState } from './state.ts';
import type { TerminalPort } from './terminal-port.ts';
import type { Wish } from './wish.ts';

export interface ChatStoreOptions {
  readonly terminal: TerminalPort;
  readonly theme: Theme;
  readonly say: Say;
  readonly now: () => number;
  readonly onWish: (wish: Wish) => void;
  /** Called after each change. */
  readonly onChange?: (state: ChatState) => void;
}

const SPIN_MS = 120;

/** Holds the state of the chat and keeps the screen up to it. */
export class ChatStore {
  readonly screen: InlineScreen;
  readonly #options: ChatStoreOptions;
  #answer = new AnswerStream(plainRenderer);
  #state: ChatState;
  #spinner: ReturnType<typeof setInterval> | null = null;

  constructor(options: ChatStoreOptions) {
    const { terminal, theme, say, now } = options;
    this.#options = options;
    this.#state = createChatState({ ...terminal.size, theme, say });
    this.screen = new InlineScreen(terminal, { now, takeFrame: () => this.#takeFrame() });
    terminal.onResize(() => {
      this.dispatch({ type: 'resized', ...terminal.size });
      this.#answer.resize(this.#rendering().width);
    });
  }

  get state(): ChatState {
    return this.#state;
  }

  dispatch(event: ChatEvent): void {
    const { state, wishes } = reduceChat(this.#state, event);
    const hasChanged = state !== this.#state;
    this.#state = state;
    if (hasChanged) {
      this.#requestFrame();
      this.#options.onChange?.(state);
    }
    for (const wish of wishes) this.#options.onWish(wish);
  }

  /** From the next answer on. */
  useRenderer(make: MakeRenderer): void {
    this.#answer = new AnswerStream(make);
  }

  addText(text: string): void {
    this.#answer.add(text);
    this.screen.request();
  }

  /** What was said so far is final: something else follows. */
  endText(): void {
    const finished = this.#answer.end(this.#rendering());
    if (finished !== null) this.dispatch({ type: 'answer', finished, open: [] });
  }

  close(): void {
    this.#spin(false);
    this.screen.pause();
  }

  /** Renders what came since the last frame; what the frame commits counts as written. */
  #takeFrame(): Frame {
    if (this.#answer.hasNew) {
      const { finished, open } = this.#answer.render(this.#rendering());
      this.#state = reduceChat(this.#state, { type: 'answer', finished, open }).state;
    }
    const frame = viewChat(this.#state, this.#options.terminal.size, this.#options.now());
    const blocks = this.#state.pending.length;
    if (blocks > 0) this.#state = reduceChat(this.#state, { type: 'committed', blocks }).state;
    return frame;
  }

  #rendering(): { readonly width: number; readonly theme: Theme } {
    return { width: Math.max(20, this.#options.terminal.size.columns - 1), theme: this.#state.theme };
  }

  #requestFrame(): void {
    this.#spin(this.#state.run !== null);
    this.screen.request();
    const { hint } = this.#state;
    if (hint === null || hint.untilMs === Infinity) return;
    const leftMs = hint.untilMs - this.#options.now();
    if (leftMs > 0) setTimeout(() => this.screen.request(), leftMs + 10).unref();
  }

  #spin(isOn: boolean): void {
    if (isOn === (this.#spinner !== null)) return;
    if (this.#spinner !== null) clearInterval(this.#spinner);
    this.#spinner = isOn ? setInterval(() => this.screen.request(), SPIN_MS) : null;
  }
}
