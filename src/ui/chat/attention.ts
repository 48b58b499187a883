import { displayLine } from '../../core/display-text.ts';
import type { ChatState } from './state.ts';

/** What a terminal can be told beside what is drawn, and whether the person wants it. */
export interface Signals {
  readonly title: boolean;
  /** The terminal shows progress in its tab. */
  readonly progress: boolean;
  /** How a person is called who may be looking elsewhere. */
  readonly notify: 'bell' | 'osc9' | 'off';
}

/** So long nobody pressed a key before they are called. */
export const AWAY_MS = 10_000;

const BELL = '\u0007';
const NO_PROGRESS = progress(0);

/** Tells the terminal's title, its tab and a person who is away what the chat is at. Draws nothing. */
export class Attention {
  readonly #write: (bytes: string) => void;
  readonly #now: () => number;
  #signals: Signals;
  #told = '';
  #mood: Mood = 'idle';
  #pressedMs: number;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor({
    write,
    now,
    signals,
  }: { readonly write: (bytes: string) => void; readonly now: () => number; readonly signals: Signals }) {
    this.#write = write;
    this.#now = now;
    this.#signals = signals;
    this.#pressedMs = now();
  }

  /** A person is there. */
  keyPressed(): void {
    this.#pressedMs = this.#now();
    this.#stopTimer();
  }

  /** The person's own settings, which are known later than the first frame. */
  use(signals: Signals, state: ChatState): void {
    this.#signals = signals;
    this.follow(state);
  }

  follow(state: ChatState): void {
    const mood = moodOf(state);
    const told = [
      ...(this.#signals.title ? [titleOf(state, mood)] : []),
      ...(this.#signals.progress ? [PROGRESS[mood]] : []),
    ].join('');
    if (told !== this.#told) this.#write(told);
    this.#told = told;
    if (mood === this.#mood) return;
    this.#mood = mood;
    this.#stopTimer();
    if (mood === 'asking') this.#callSoon(state.say('notify_asks', { name: state.dialog?.request.name ?? '' }));
    else if (mood === 'idle') this.#callIfAway(state.say('notify_done'));
  }

  close(): void {
    this.#stopTimer();
    if (this.#signals.progress && this.#mood !== 'idle') this.#write(NO_PROGRESS);
  }

  #callSoon(text: string): void {
    const waitMs = Math.max(0, this.#pressedMs + AWAY_MS - this.#now());
    this.#timer = setTimeout(() => this.#call(text), waitMs);
    this.#timer.unref();
  }

  #callIfAway(text: string): void {
    if (this.#now() - this.#pressedMs >= AWAY_MS) this.#call(text);
  }

  #call(text: string): void {
    const { notify } = this.#signals;
    if (notify === 'bell') this.#write(BELL);
    if (notify === 'osc9') this.#write(`\u001b]9;${plain(`wield: ${text}`)}${BELL}`);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

type Mood = 'idle' | 'working' | 'asking';

function moodOf({ dialog, run }: ChatState): Mood {
  if (dialog !== null) return 'asking';
  return run === null ? 'idle' : 'working';
}

const MARKS = { idle: '', working: '✳ ', asking: '? ' } as const;

function titleOf({ session }: ChatState, mood: Mood): string {
  const folder = session === null ? '' : ` · ${session.cwd.split('/').at(-1) ?? ''}`;
  return `\u001b]2;${MARKS[mood]}${plain(`wield${folder}`)}${BELL}`;
}

/** Nothing in it may end the sequence. */
function plain(text: string): string {
  return displayLine(text, 120);
}

// Source: ConEmu, ANSI X3.64 and Xterm 256 colours, "OSC 9;4": 0 none, 3 busy, 4 paused
const PROGRESS: Readonly<Record<Mood, string>> = { idle: NO_PROGRESS, working: progress(3), asking: progress(4) };

function progress(state: number): string {
  return `\u001b]9;4;${state};0${BELL}`;
}
