import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../shared/cases/streams');

/** What a recorded stream must give. Source: the rules in the folder's index.json. */
export interface ExpectedBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string | null;
  readonly name?: string;
  readonly input?: unknown;
  readonly input_raw?: string;
  readonly complete?: boolean;
  readonly signature_length?: number;
  readonly data_length?: number;
}
export interface RecordedStream {
  readonly file: string;
  readonly model: string;
  readonly dialect: string;
  readonly container: 'raw SSE' | 'one JSON event a line';
  readonly expected: {
    readonly blocks: readonly ExpectedBlock[];
    readonly stop_reason: string;
    readonly error: Readonly<Record<string, unknown>> | null;
    readonly usage: {
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly cache_read_tokens: number;
      readonly cache_write_tokens: number;
    } | null;
  };
}

/** The recorded streams of a dialect, or null where the folder is not there: recordings belong to other projects and are not part of this one. */
export function recordedStreams(dialect: string): readonly RecordedStream[] | null {
  const index = join(FOLDER, 'index.json');
  if (!existsSync(index)) return null;
  const { streams } = JSON.parse(readFileSync(index, 'utf8')) as { streams: RecordedStream[] };
  return streams.filter((stream) => stream.dialect === dialect);
}

/** The bytes of a recording as server-sent events. */
export function sseBytesOf(stream: RecordedStream): Buffer {
  const bytes = readFileSync(join(FOLDER, stream.file));
  if (stream.container === 'raw SSE') return bytes;
  const events = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return Buffer.from(events.map((line) => `data: ${line}\n\n`).join(''));
}

/** Where each event of the bytes ends. */
export function eventBoundaries(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf('\n\n'); at !== -1; at = bytes.indexOf('\n\n', at + 2)) ends.push(at + 2);
  return ends;
}
