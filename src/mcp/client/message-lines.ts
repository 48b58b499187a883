import type { Readable } from 'node:stream';
import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { MAX_JSON_DEPTH } from '../json-depth.ts';

export interface MessageSink {
  onMessage(message: JsonObject): void;
  /** Nothing more is read then. */
  onFault(fault: string): void;
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_NOTES = 50;
const NOTE_WINDOW_MS = 250;
const LF = 0x0a;

/**
 * Messages of a server, one a line. A line that is too long or nested too deep is a fault; one that is no JSON is left out, since many
 * servers print something first. Of a flood of notifications the first ones and the last are passed on; in a flood of these or of requests
 * the pipe is left alone for a while, so that the server waits.
 */
export class MessageLines {
  readonly #sink: MessageSink;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #notes = 0;
  #lastNote: JsonObject | null = null;
  #windowEndsAt = 0;
  #isOver = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  read(stream: Readable): void {
    stream.on('data', (bytes: Buffer) => {
      this.#take(bytes);
      const waitMs = this.#floodWaitMs();
      if (waitMs <= 0) return;
      stream.pause();
      // A pause does not hold up the end of the program.
      setTimeout(() => {
        this.#passLastNote();
        stream.resume();
      }, waitMs).unref();
    });
  }

  #take(bytes: Buffer): void {
    let from = 0;
    for (let at = bytes.indexOf(LF); at >= 0 && !this.#isOver; at = bytes.indexOf(LF, from)) {
      const line = Buffer.concat([...this.#pieces, bytes.subarray(from, at)]);
      this.#pieces = [];
      this.#bytes = 0;
      from = at + 1;
      this.#takeLine(line.toString('utf8'));
    }
    if (this.#isOver) return;
    this.#pieces.push(bytes.subarray(from));
    this.#bytes += bytes.length - from;
    if (this.#bytes > MAX_LINE_BYTES) this.#stop(`it sent more than ${MAX_LINE_BYTES / 1024 / 1024} MB in one message`);
  }

  #takeLine(line: string): void {
    if (nestsTooDeep(line)) return this.#stop(`it sent a message nested more than ${MAX_JSON_DEPTH} deep`);
    const message = parseJson(line);
    if (!isJsonObject(message)) return;
    if (message['method'] === undefined) return this.#sink.onMessage(message);
    const isNote = message['id'] === undefined;
    if (++this.#notes > MAX_NOTES && isNote) this.#lastNote = message;
    else this.#sink.onMessage(message);
  }

  /** What changed last would be missed otherwise. */
  #passLastNote(): void {
    const note = this.#lastNote;
    this.#lastNote = null;
    if (note !== null && !this.#isOver) this.#sink.onMessage(note);
  }

  #floodWaitMs(): number {
    const now = performance.now();
    if (this.#notes > MAX_NOTES) {
      this.#notes = 0;
      return NOTE_WINDOW_MS;
    }
    if (now > this.#windowEndsAt) {
      this.#windowEndsAt = now + NOTE_WINDOW_MS;
      this.#notes = 0;
    }
    return 0;
  }

  #stop(fault: string): void {
    this.#isOver = true;
    this.#pieces = [];
    this.#sink.onFault(fault);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Counts brackets outside of strings. */
function nestsTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (isInString) {
      if (character === '\\') i++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      depth++;
      if (depth > MAX_JSON_DEPTH) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}
