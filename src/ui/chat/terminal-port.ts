import type { ImageBlock } from '../../core/message.ts';
import type { Reflow, ScreenSize } from '../inline/paint.ts';

/** The terminal itself. */
export interface TerminalPort {
  readonly size: ScreenSize;
  readonly reflow: Reflow;
  /** It can be asked for its background, and says nothing aloud where it does not know. */
  readonly tellsBackground: boolean;
  /** Takes the keyboard: keys come one by one, pastes are marked. */
  start(): void;
  /** Gives everything back as it was. */
  stop(): void;
  /** False where it is not taken yet; then `onDrain` is called once. */
  write(bytes: string): boolean;
  onDrain(listener: () => void): void;
  onData(listener: (text: string) => void): void;
  onResize(listener: () => void): void;
  /** Stops the program, as Ctrl-Z does; resolves when it goes on. */
  suspend(): Promise<void>;
}

/** What the chat needs of its surroundings besides. */
export interface ChatHost {
  /** A clock in milliseconds. */
  now(): number;
  /** What was typed here before, oldest first. */
  loadHistory(): Promise<readonly string[]>;
  addHistory(text: string): void;
  /** Files of the project, relative. */
  listFiles(): Promise<readonly string[]>;
  /** The present text of a file; null where it is none that can be shown line by line. */
  readText(path: string): Promise<string | null>;
  /** A picture of a file. Errors: AgentError. */
  readImage(path: string): Promise<ImageBlock>;
  /** The picture on the clipboard; null where there is none. Errors: AgentError. */
  clipboardImage(): Promise<ImageBlock | null>;
  /** Opens the person's own editor on a text; null where there is none, or it failed. */
  editText(text: string): Promise<string | null>;
}
