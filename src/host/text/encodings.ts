/** An encoding of text files. `decode` is strict in nothing: what it cannot read becomes U+FFFD. */
export interface TextEncoding {
  readonly name: EncodingName;
  decode(bytes: Uint8Array): string;
  /** Null where the encoding cannot hold the text. */
  encode(text: string): Promise<Uint8Array | null>;
  /** How many bytes each UTF-16 unit takes, where that is the same for all. */
  readonly bytesPerUnit: 1 | 2 | null;
  /** The length in bytes of the character that starts at `at`. */
  widthAt(bytes: Uint8Array, at: number): number;
}

export const SINGLE_BYTE = [
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
] as const;
export const MULTI_BYTE = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const;
const WIDE = ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const;
export type LegacyName = (typeof SINGLE_BYTE)[number] | (typeof MULTI_BYTE)[number];
export type EncodingName = 'utf-8' | LegacyName | (typeof WIDE)[number];

/** The encoding of this name, other than UTF-8, which has its own lossless reading. */
export function encodingNamed(name: Exclude<EncodingName, 'utf-8'>): TextEncoding {
  if (isOneOf(SINGLE_BYTE, name)) return singleByte(name);
  if (isOneOf(MULTI_BYTE, name)) return multiByte(name);
  return name.startsWith('utf-16') ? utf16(name, name === 'utf-16le') : utf32(name, name === 'utf-32le');
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name);
}

function singleByte(name: LegacyName): TextEncoding {
  const decoder = new TextDecoder(name);
  const table = new Map(
    [...decoder.decode(Uint8Array.from({ length: 256 }, (_, i) => i))].map((character, byte) => [character, byte]),
  );
  return {
    name,
    decode: (bytes) => decoder.decode(bytes),
    encode: async (text) => {
      const bytes = [...text].map((character) => table.get(character));
      return bytes.includes(undefined) ? null : Uint8Array.from(bytes as number[]);
    },
    bytesPerUnit: 1,
    widthAt: () => 1,
  };
}

function multiByte(name: LegacyName): TextEncoding {
  const decoder = new TextDecoder(name);
  return {
    name,
    decode: (bytes) => decoder.decode(bytes),
    encode: async (text) => {
      // Loaded only to write back. What its tables and the decoder's disagree on counts as not to be held.
      const { default: iconv } = await import('iconv-lite');
      const bytes = iconv.encode(text, name === 'shift_jis' ? 'cp932' : name);
      return decoder.decode(bytes) === text ? bytes : null;
    },
    bytesPerUnit: null,
    widthAt: WIDTHS[name as (typeof MULTI_BYTE)[number]],
  };
}

/** Source: encoding.spec.whatwg.org, the decoders' lead bytes. */
const WIDTHS: Record<(typeof MULTI_BYTE)[number], TextEncoding['widthAt']> = {
  gb18030: (bytes, at) => {
    if (!isBetween(bytes[at], 0x81, 0xfe)) return 1;
    return isBetween(bytes[at + 1], 0x30, 0x39) ? 4 : 2;
  },
  big5: (bytes, at) => (isBetween(bytes[at], 0x81, 0xfe) ? 2 : 1),
  shift_jis: (bytes, at) => (isBetween(bytes[at], 0x81, 0x9f) || isBetween(bytes[at], 0xe0, 0xfc) ? 2 : 1),
  'euc-jp': (bytes, at) => (bytes[at] === 0x8f ? 3 : bytes[at] === 0x8e || isBetween(bytes[at], 0xa1, 0xfe) ? 2 : 1),
  'euc-kr': (bytes, at) => (isBetween(bytes[at], 0x81, 0xfe) ? 2 : 1),
};

function isBetween(byte: number | undefined, low: number, high: number): boolean {
  return byte !== undefined && byte >= low && byte <= high;
}

function utf16(name: EncodingName, isLittle: boolean): TextEncoding {
  // Not TextDecoder: half of a surrogate pair is data that has to survive.
  const swapped = (bytes: Uint8Array): Buffer => (isLittle ? Buffer.from(bytes) : Buffer.from(bytes).swap16());
  return {
    name,
    decode: (bytes) => swapped(bytes.subarray(0, bytes.length - (bytes.length % 2))).toString('utf16le'),
    encode: async (text) => swapped(Buffer.from(text, 'utf16le')),
    bytesPerUnit: 2,
    widthAt: () => 2,
  };
}

function utf32(name: EncodingName, isLittle: boolean): TextEncoding {
  return {
    name,
    decode: (bytes) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const points = Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getUint32(i * 4, isLittle));
      return points.map((point) => (point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')).join('');
    },
    encode: async (text) => {
      const points = [...text].map((character) => character.codePointAt(0) ?? 0);
      const bytes = new Uint8Array(points.length * 4);
      const view = new DataView(bytes.buffer);
      points.forEach((point, i) => view.setUint32(i * 4, point, isLittle));
      return bytes;
    },
    bytesPerUnit: null,
    widthAt: () => 4,
  };
}
