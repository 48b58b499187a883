import { Parser } from 'htmlparser2';
import { PageWriter } from './page-writer.ts';

/** What nobody reads. */
const SILENT: ReadonlySet<string> = new Set(
  'script style noscript template svg canvas iframe object embed audio video select head'.split(' '),
);
const PARAGRAPHS: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre section article header footer main nav aside figure form fieldset details'.split(
    ' ',
  ),
);
const LINES: ReadonlySet<string> = new Set('div li tr dt dd caption figcaption summary address legend option'.split(' '));

/** What a person would read of a page, as Markdown: headings, lists, code, tables and the addresses of links. */
export async function htmlToText(source: string, url: string): Promise<string> {
  const page = new HtmlReader(url);
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (text) => page.text(text),
    onclosetag: (name) => page.close(name),
  });
  for (let at = 0; at < source.length; at += PIECE_CHARS) {
    parser.write(source.slice(at, at + PIECE_CHARS));
    // The parser takes time by the square of the depth, which no honest page has.
    if (page.depth > MAX_DEPTH || page.size > MAX_TEXT_CHARS) return page.result();
    // Whoever waits for something else, or for an end, gets a turn.
    await new Promise(setImmediate);
  }
  parser.end();
  return page.result();
}

const MAX_DEPTH = 2000;
/** A short address in the source may be a long one in the text. */
const MAX_TEXT_CHARS = 5_000_000;
const MAX_ADDRESS_CHARS = 2000;
const PIECE_CHARS = 16_384;

class HtmlReader {
  readonly #writer = new PageWriter();
  readonly #links: { readonly place: number; readonly href: string | null }[] = [];
  readonly #codes: number[] = [];
  readonly #lists: { next: number | null }[] = [];
  #base: string;
  #title = '';
  #isInTitle = false;
  /** How many silent elements are open. */
  #silence = 0;
  #cells = 0;
  #depth = 0;

  constructor(url: string) {
    this.#base = url;
  }

  get size(): number {
    return this.#writer.size;
  }

  get depth(): number {
    return this.#depth;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth++;
    if (name === 'title' && this.#title === '') this.#isInTitle = true;
    if (name === 'base') this.#base = this.#resolved(attributes['href'] ?? '')?.href ?? this.#base;
    // A body ends a head that was left open.
    if (name === 'body') this.#silence = 0;
    if (SILENT.has(name)) this.#silence++;
    if (this.#silence > 0) return;
    this.#breakBefore(name);
    this.#begin(name, attributes);
  }

  text(text: string): void {
    if (this.#isInTitle) this.#title += text;
    else if (this.#silence === 0) this.#writer.words(text);
  }

  close(name: string): void {
    this.#depth--;
    if (name === 'title') this.#isInTitle = false;
    if (SILENT.has(name)) this.#silence = Math.max(0, this.#silence - 1);
    if (this.#silence > 0) return;
    this.#end(name);
    this.#breakBefore(name);
  }

  result(): string {
    const title = this.#title.replaceAll(/\s+/g, ' ').trim();
    const text = this.#writer.text();
    return title === '' || text.startsWith(`# ${title}\n`) ? text : `# ${title}\n\n${text}`;
  }

  #breakBefore(name: string): void {
    if (PARAGRAPHS.has(name) && !(this.#lists.length > 0 && (name === 'ul' || name === 'ol'))) this.#writer.breakLine(2);
    else if (LINES.has(name) || name === 'ul' || name === 'ol') this.#writer.breakLine(1);
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const writer = this.#writer;
    const heading = /^h([1-6])$/.exec(name)?.[1];
    if (heading !== undefined) return writer.mark(`${'#'.repeat(Number(heading))} `);
    switch (name) {
      case 'a':
        return void this.#links.push({ place: writer.place(), href: this.#addressOf(attributes['href']) });
      case 'img':
        return (attributes['alt'] ?? '').trim() === '' ? undefined : writer.words(` [image: ${attributes['alt']}] `);
      case 'br':
        return writer.lineEnd();
      case 'hr':
        writer.breakLine(2);
        writer.words('---');
        return writer.breakLine(2);
      case 'ul':
        return void this.#lists.push({ next: null });
      case 'ol':
        return void this.#lists.push({ next: 1 });
      case 'li':
        return writer.mark(this.#bullet());
      case 'tr':
        this.#cells = 0;
        return;
      case 'td':
      case 'th':
        return this.#cells++ === 0 ? undefined : writer.mark(' | ');
      case 'pre':
        return writer.openCode();
      case 'code':
      case 'kbd':
        return void this.#codes.push(writer.place());
      case 'blockquote':
        return writer.mark('> ');
    }
  }

  #end(name: string): void {
    switch (name) {
      case 'a': {
        const link = this.#links.pop();
        if (link !== undefined && link.href !== null) this.#writer.wrap(link.place, ['[', `](${link.href})`]);
        return;
      }
      case 'ul':
      case 'ol':
        return void this.#lists.pop();
      case 'pre':
        return this.#writer.closeCode();
      case 'code':
      case 'kbd': {
        const place = this.#codes.pop();
        if (place !== undefined) this.#writer.wrap(place, ['`', '`']);
        return;
      }
    }
  }

  #bullet(): string {
    const list = this.#lists.at(-1);
    const indent = '  '.repeat(Math.min(8, Math.max(0, this.#lists.length - 1)));
    if (list === undefined || list.next === null) return `${indent}- `;
    return `${indent}${list.next++}. `;
  }

  /** Null for what is no address, or is longer than any that somebody would follow. */
  #resolved(href: string): URL | null {
    const url = href.length > MAX_ADDRESS_CHARS ? null : URL.parse(href, this.#base);
    return url === null || url.href.length > MAX_ADDRESS_CHARS ? null : url;
  }

  /** Null for what leads to no page of its own. */
  #addressOf(href: string | undefined): string | null {
    if (href === undefined || href.trim().startsWith('#')) return null;
    const url = this.#resolved(href.trim());
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : null;
  }
}
