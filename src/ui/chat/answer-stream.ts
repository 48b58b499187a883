import { displayText } from '../../core/display-text.ts';
import type { Theme } from '../theme.ts';

/** Rows of an answer: those that are final, and those that may still change. */
export interface AnswerRows {
  readonly finished: readonly string[];
  readonly open: readonly string[];
}

/** Turns the text of one answer into rows as it comes. */
export interface AnswerRenderer {
  push(text: string): AnswerRows;
  resize(width: number): unknown;
  /** The rest. */
  end(): readonly string[];
}

export type MakeRenderer = (options: { readonly width: number; readonly theme: Theme }) => AnswerRenderer;

/** Text as it is, line by line. */
export const plainRenderer: MakeRenderer = () => {
  let rest = '';
  return {
    push: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return { finished: lines.map((line) => displayText(line)), open: rest === '' ? [] : [displayText(rest)] };
    },
    resize: () => undefined,
    end: () => (rest === '' ? [] : [displayText(rest)]),
  };
};

/** The answer that streams. Deltas are collected, and rendered when a frame is drawn: thousands a second cost no more than a few. */
export class AnswerStream {
  readonly #make: MakeRenderer;
  #renderer: AnswerRenderer | null = null;
  #waiting = '';

  constructor(make: MakeRenderer) {
    this.#make = make;
  }

  get hasNew(): boolean {
    return this.#waiting !== '';
  }

  add(text: string): void {
    this.#waiting += text;
  }

  /** Renders what came since. */
  render(options: { readonly width: number; readonly theme: Theme }): AnswerRows {
    const text = this.#waiting;
    this.#waiting = '';
    this.#renderer ??= this.#make(options);
    return this.#renderer.push(text);
  }

  resize(width: number): void {
    this.#renderer?.resize(width);
  }

  /** Ends the block; what was open is final. Null where nothing was begun. */
  end(options: { readonly width: number; readonly theme: Theme }): readonly string[] | null {
    if (this.#renderer === null && this.#waiting === '') return null;
    const { finished } = this.#waiting === '' ? { finished: [] } : this.render(options);
    const rest = this.#renderer?.end() ?? [];
    this.#renderer = null;
    return [...finished, ...rest];
  }
}
