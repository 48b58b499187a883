/** Puts the words of a page together: white space is folded outside of code, and there is never more than one empty line. */
export class PageWriter {
  /** What parts words from those before, and words, in turn. */
  readonly #pieces: string[] = [];
  #size = 0;
  #lines: 0 | 1 | 2 = 0;
  #hasSpace = false;
  #mark = '';
  #codeDepth = 0;
  #isCodeStart = false;

  words(text: string): void {
    if (this.#codeDepth > 0) return this.#code(text);
    const words = text.replaceAll(/[\s\u200b\ufeff]+/g, ' ');
    this.#hasSpace ||= words.startsWith(' ');
    if (words.trim() === '') return;
    this.#write(words.trim());
    this.#hasSpace = words.endsWith(' ');
  }

  /** What stands before the next words: it begins a line or parts cells, and is left out where the line ends without a word. */
  mark(text: string): void {
    this.#mark += text;
    this.#hasSpace = false;
  }

  breakLine(lines: 1 | 2): void {
    if (this.#codeDepth > 0) return;
    if (this.#lines < lines) this.#lines = lines;
    this.#mark = '';
    this.#hasSpace = false;
  }

  lineEnd(): void {
    if (this.#codeDepth > 0) this.#code('\n');
    else this.breakLine(1);
  }

  openCode(): void {
    if (this.#codeDepth++ > 0) return;
    this.#write('```\n');
    this.#isCodeStart = true;
  }

  closeCode(): void {
    if (this.#codeDepth === 0) return;
    this.#codeDepth--;
    if (this.#codeDepth > 0) return;
    const isEnded = this.#pieces.at(-1)?.endsWith('\n') === true;
    this.#push('', isEnded ? '```' : '\n```');
  }

  /** How many characters there are. */
  get size(): number {
    return this.#size;
  }

  /** A place to which `wrap` can come back. */
  place(): number {
    return this.#pieces.length;
  }

  /** Encloses what was written since a place, if anything was; in code nothing is enclosed. */
  wrap(place: number, [before, after]: readonly [before: string, after: string]): void {
    const first = this.#pieces[place + 1];
    if (this.#codeDepth > 0 || first === undefined) return;
    this.#pieces[place + 1] = `${before}${first}`;
    this.#push('', after);
    this.#size += before.length;
  }

  text(): string {
    return this.#pieces.join('').trim();
  }

  #push(gap: string, words: string): void {
    this.#pieces.push(gap, words);
    this.#size += gap.length + words.length;
  }

  #code(text: string): void {
    // The line end behind the tag is none of the code.
    const code = this.#isCodeStart ? text.replace(/^\r?\n/, '') : text;
    this.#isCodeStart = false;
    this.#push('', code);
  }

  #write(text: string): void {
    const gap = this.#lines > 0 ? '\n'.repeat(this.#lines) : this.#hasSpace ? ' ' : '';
    this.#push(`${this.#pieces.length === 0 ? '' : gap}${this.#mark}`, text);
    this.#lines = 0;
    this.#hasSpace = false;
    this.#mark = '';
  }
}
