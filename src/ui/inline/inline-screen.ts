import type { TerminalPort } from '../chat/terminal-port.ts';
import { erase, type Frame, nothingPainted, paint, type Painted } from './paint.ts';

/** At most about 30 frames a second. */
const FRAME_MS = 33;

/** Draws frames below what is on the screen, never more often than eyes and the terminal can take. */
export class InlineScreen {
  readonly #terminal: TerminalPort;
  readonly #now: () => number;
  /** Gives the frame to draw; what it commits is on the screen when this returns. */
  readonly #takeFrame: () => Frame;
  #painted: Painted;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #drawnMs = -Infinity;
  #isBlocked = false;
  #isOff = false;

  constructor(terminal: TerminalPort, { now, takeFrame }: { readonly now: () => number; readonly takeFrame: () => Frame }) {
    this.#terminal = terminal;
    this.#now = now;
    this.#takeFrame = takeFrame;
    this.#painted = nothingPainted(terminal.size);
    terminal.onDrain(() => {
      this.#isBlocked = false;
      this.request();
    });
  }

  /** Draws soon: at once where the last frame is long ago. */
  request(): void {
    if (this.#timer !== null || this.#isOff) return;
    const waitMs = Math.max(0, this.#drawnMs + FRAME_MS - this.#now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // What cannot be written yet would only pile up; the frame after it has everything.
      if (!this.#isBlocked) this.draw();
    }, waitMs);
  }

  draw(): void {
    if (this.#isOff) return;
    this.#drawnMs = this.#now();
    const { size, reflow } = this.#terminal;
    const { bytes, painted } = paint(this.#painted, this.#takeFrame(), { size, reflow });
    this.#painted = painted;
    if (bytes !== '') this.#isBlocked = !this.#terminal.write(bytes);
  }

  /** Draws what is left, takes the live rows off, and draws no more until `resume`. */
  pause(): void {
    this.draw();
    this.#isOff = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { size, reflow } = this.#terminal;
    this.#terminal.write(erase(this.#painted, { size, reflow }));
  }

  /** Draws anew where the cursor stands now. */
  resume(): void {
    this.#isOff = false;
    this.#painted = nothingPainted(this.#terminal.size);
    this.draw();
  }

  /** A fresh screen: what was seen moves up into the scrollback, and nothing is erased. */
  scrollAway(): void {
    this.pause();
    this.#terminal.write(`${'\r\n'.repeat(this.#terminal.size.rows - 1)}\u001b[H`);
    this.resume();
  }
}
