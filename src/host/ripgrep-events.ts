interface TextOrBytes {
  readonly text?: string;
  readonly bytes?: string;
}

/** A line of `rg --json`. Source: docs.rs/grep-printer, JSON format, version 15. */
export interface RipgrepEvent {
  readonly type: 'begin' | 'match' | 'context' | 'end' | 'summary';
  readonly data: {
    readonly path?: TextOrBytes;
    readonly lines?: TextOrBytes;
    readonly line_number?: number | null;
    /** Offsets in bytes. */
    readonly submatches?: readonly { readonly start: number }[];
    readonly binary_offset?: number | null;
    readonly stats?: { readonly searches: number; readonly matched_lines: number };
  };
}

// Up to this column of a line the kind of its event is known: {"type":"match"
const KIND_COLUMN = 9;
const AFTER_LINES = '"},"line_number":';

/** The kind of an event without parsing it: most lines of a flood belong to files that will not be shown. */
export function kindOfEvent(line: Uint8Array): 'match' | 'context' | 'other' {
  const kind = line[KIND_COLUMN];
  return kind === 0x6d ? 'match' : kind === 0x63 ? 'context' : 'other';
}

export function parseEvent(line: Buffer): RipgrepEvent {
  return JSON.parse(line.toString('utf8')) as RipgrepEvent;
}

/** A match whose event was cut: the list of its submatches can be many times as long as its line. Null where the line itself was cut. */
export function parseCutEvent(line: Buffer): RipgrepEvent | null {
  // In JSON a quote inside a text has a backslash before it, so this stands only behind the text.
  const end = line.indexOf(AFTER_LINES);
  if (end === -1) return null;
  const rest = line.toString('utf8', end, end + 2000);
  const lineNumber = /"line_number":(\d+)/.exec(rest)?.[1] ?? '1';
  const start = /"start":(\d+)/.exec(rest)?.[1] ?? '0';
  return JSON.parse(
    `${line.toString('utf8', 0, end)}"},"line_number":${lineNumber},"submatches":[{"start":${start}}]}}`,
  ) as RipgrepEvent;
}

/** A path or line, and how many UTF-16 units of it stand before a byte offset. */
export function decodeText(value: TextOrBytes | undefined): { readonly text: string; unitsBefore(byte: number): number } {
  const bytes = value?.text === undefined ? Buffer.from(value?.bytes ?? '', 'base64') : null;
  const text = value?.text ?? bytes?.toString('utf8') ?? '';
  return { text, unitsBefore: (byte) => (bytes ?? Buffer.from(text, 'utf8')).toString('utf8', 0, byte).length };
}
