import { type Key, type KeyName, namedKey } from './key.ts';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
// oxlint-disable-next-line no-control-regex -- what a terminal sends begins with escape
const SEQUENCE = /^\u001b(?:\[[0-9:;<=>?]*[ -/]*[@-~]|O[@-~])/;
// oxlint-disable-next-line no-control-regex -- a sequence of which more is to come
const UNFINISHED = /^\u001b(?:\[[0-9:;<=>?]*[ -/]*|O)?$/;
// oxlint-disable-next-line no-control-regex -- a report of the terminal, which is no key
const STRING_REPORT = /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/;
// oxlint-disable-next-line no-control-regex -- a report of which more is to come
const UNFINISHED_REPORT = /^\u001b\]\d[^\u0007\u001b]{0,200}\u001b?$/;
// oxlint-disable-next-line no-control-regex -- printable text up to the next key
const TEXT = /^[^\u0000-\u001f\u007f]+/;
/** Nobody types a paste that long; a mark that never ends must not eat all memory. */
const MAX_PASTE_CHARS = 64 * 1024 * 1024;

/**
 * Reads what a terminal sends, in pieces of any size, as keys. A lone escape may be the start of a sequence: it is kept until more
 * comes or `flush` says that nothing did.
 */
export class KeyParser {
  #rest = '';
  #pasted: string[] | null = null;
  #pastedChars = 0;
  #reports: string[] = [];

  feed(data: string): readonly Key[] {
    const keys: Key[] = [];
    this.#rest += data;
    while (this.#rest !== '') {
      const before = this.#rest.length;
      if (this.#pasted === null) this.#readKey(keys);
      else this.#readPaste(keys);
      if (this.#rest.length === before) break;
    }
    return keys;
  }

  /** What the terminal told of itself since the last time, such as its colours. */
  takeReports(): readonly string[] {
    return this.#reports.splice(0);
  }

  /** True while a key may be unfinished: then `flush` is due after a moment. */
  get isWaiting(): boolean {
    return this.#rest !== '' && this.#pasted === null;
  }

  flush(): readonly Key[] {
    if (this.#pasted !== null || this.#rest === '') return [];
    const rest = this.#rest;
    this.#rest = '';
    return rest === '\u001b' ? [namedKey('escape')] : rest === '\u001b[' || rest === '\u001bO' ? [altKey(rest.slice(1))] : [];
  }

  #readKey(keys: Key[]): void {
    const rest = this.#rest;
    if (rest.startsWith(PASTE_START)) {
      this.#pasted = [];
      this.#pastedChars = 0;
      this.#rest = rest.slice(PASTE_START.length);
      return;
    }
    const text = TEXT.exec(rest)?.[0];
    if (text !== undefined) return this.#take(text.length, keys, { type: 'text', text });
    if (rest.startsWith('\u001b')) return this.#readEscape(keys);
    this.#take(1, keys, controlKey(rest.charCodeAt(0)));
  }

  #readEscape(keys: Key[]): void {
    const rest = this.#rest;
    const report = STRING_REPORT.exec(rest)?.[0];
    if (report !== undefined) {
      this.#reports.push(report);
      return this.#take(report.length, keys, null);
    }
    const sequence = SEQUENCE.exec(rest)?.[0];
    if (sequence !== undefined) return this.#take(sequence.length, keys, sequenceKey(sequence));
    if (UNFINISHED.test(rest) || UNFINISHED_REPORT.test(rest)) return;
    if (rest.startsWith('\u001b\u001b')) return this.#take(1, keys, namedKey('escape'));
    const next = String.fromCodePoint(rest.codePointAt(1) ?? 0);
    this.#take(1 + next.length, keys, altKey(next));
  }

  #readPaste(keys: Key[]): void {
    const end = this.#rest.indexOf(PASTE_END);
    // The end mark may come in two pieces.
    const kept = end === -1 ? Math.max(0, this.#rest.length - PASTE_END.length + 1) : end;
    if (this.#pastedChars < MAX_PASTE_CHARS) this.#pasted?.push(this.#rest.slice(0, kept));
    this.#pastedChars += kept;
    this.#rest = this.#rest.slice(end === -1 ? kept : end + PASTE_END.length);
    if (end === -1) return;
    keys.push({ type: 'paste', text: this.#pasted?.join('') ?? '' });
    this.#pasted = null;
  }

  #take(length: number, keys: Key[], key: Key | null): void {
    this.#rest = this.#rest.slice(length);
    if (key !== null) keys.push(key);
  }
}

function controlKey(code: number): Key {
  if (code === 0x0d) return namedKey('enter');
  if (code === 0x09) return namedKey('tab');
  if (code === 0x7f || code === 0x08) return namedKey('backspace');
  if (code === 0) return namedKey('space', { ctrl: true });
  return namedKey(String.fromCharCode(code + 0x40).toLowerCase(), { ctrl: true });
}

function altKey(character: string): Key {
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return { ...controlKey(code), alt: true } as Key;
  return namedKey(character.toLowerCase(), { alt: true, shift: character !== character.toLowerCase() });
}

// Source: xterm control sequences, "PC-Style Function Keys" and "VT220-Style Function Keys".
const BY_LETTER: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
};
const BY_NUMBER: Readonly<Record<string, KeyName>> = {
  '1': 'home',
  '2': 'insert',
  '3': 'delete',
  '4': 'end',
  '5': 'pageup',
  '6': 'pagedown',
  '7': 'home',
  '8': 'end',
};

/** Null for what is no key: reports, focus, function keys. */
function sequenceKey(sequence: string): Key | null {
  // oxlint-disable-next-line no-control-regex -- a sequence begins with escape
  const [, parameters = '', final = ''] = /^\u001b(?:\[|O)([0-9:;<=>?]*)[ -/]*(.)$/.exec(sequence) ?? [];
  if (/^[<=>?]/.test(parameters)) return null;
  const [first = '', second = '', third = ''] = parameters.split(';');
  if (final === 'u') return unicodeKey(first, second);
  // Source: xterm, modifyOtherKeys: CSI 27 ; modifier ; code ~
  if (final === '~' && first === '27' && third !== '') return unicodeKey(third, second);
  if (final === 'Z') return namedKey('tab', { shift: true });
  const name = final === '~' ? BY_NUMBER[first] : BY_LETTER[final];
  if (name === undefined || isRelease(second)) return null;
  return namedKey(name, modifiersOf(second));
}

const BY_CODE: Readonly<Record<number, KeyName>> = {
  13: 'enter',
  27: 'escape',
  9: 'tab',
  127: 'backspace',
  8: 'backspace',
  57414: 'enter',
};

/** Source: the kitty keyboard protocol, CSI code ; modifiers : kind u */
function unicodeKey(codes: string, modifiers: string): Key | null {
  const code = Number(codes.split(':')[0]);
  if (!Number.isInteger(code) || code < 1 || code > 0x10ffff || isRelease(modifiers)) return null;
  const held = modifiersOf(modifiers);
  const name = BY_CODE[code];
  if (name !== undefined) return namedKey(name, held);
  // Keys without a character stand in a private area there.
  if (code < 32 || (code >= 0xe000 && code <= 0xf8ff)) return null;
  const character = String.fromCodePoint(code);
  if (!held.ctrl && !held.alt) return { type: 'text', text: held.shift ? character.toUpperCase() : character };
  return namedKey(code === 32 ? 'space' : character.toLowerCase(), held);
}

function isRelease(modifiers: string): boolean {
  return modifiers.split(':')[1] === '3';
}

function modifiersOf(text: string): { ctrl: boolean; alt: boolean; shift: boolean } {
  const bits = Math.max(0, (Number(text.split(':')[0]) || 1) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 };
}
