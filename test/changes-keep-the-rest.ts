import fc from 'fast-check';
import { expect } from 'vitest';
import { type EncodingName, encodingNamed, SINGLE_BYTE } from '../src/host/text/encodings.ts';
import { applyChanges, changeText, decodeText, type TextFile } from '../src/host/text/text-file.ts';

const MARKS: Partial<Record<EncodingName, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'utf-32le': [0xff, 0xfe, 0, 0],
  'utf-32be': [0, 0, 0xfe, 0xff],
};

/** What files in each encoding hold: words of its language between ASCII. */
const WORDS: Partial<Record<EncodingName, readonly string[]>> = {
  'utf-8': ['été', '速度', '😀', '\u2028', '\u0085', 'é'],
  'utf-16le': ['été', '速度', '😀'],
  'utf-16be': ['été', '速度', '😀'],
  'utf-32le': ['été', '速度', '😀'],
  'utf-32be': ['été', '速度', '😀'],
  gb18030: ['速度控制说明', '中文文件', '测试内容'],
  big5: ['速度控制說明', '中文檔案', '測試內容'],
  shift_jis: ['これは', 'テスト', '日本語'],
  'euc-kr': ['이것은', '시험용', '한국어'],
  'windows-1251': ['скорость', 'проверка', 'текст'],
  'windows-1252': ['été', 'Größe', 'mañana'],
};

const encodings = Object.keys(WORDS) as EncodingName[];
const LINE_ENDS = ['\n', '\r\n', '\r', ''];

/** A file: lines with ends of any kind, in one encoding, with a mark where the encoding has one. */
const someFile = fc.constantFrom(...encodings).chain((encoding) => {
  const words = WORDS[encoding] ?? [];
  const piece = fc.oneof(fc.constantFrom(...words), fc.constantFrom('x = 1;', '  call(a, b)', '\tif', '$&', '', 'foo'));
  const line = fc
    .tuple(fc.array(piece, { maxLength: 4 }), fc.constantFrom(...LINE_ENDS))
    .map(([pieces, end]) => pieces.join(' ') + end);
  return fc.record({
    encoding: fc.constant(encoding),
    // Enough of the language that it can be told which one it is.
    text: fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `${words.join('')}${words.join('')}\n${lines.join('')}`),
    hasMark:
      encoding.startsWith('utf-16') || encoding.startsWith('utf-32')
        ? fc.constant(true)
        : encoding === 'utf-8'
          ? fc.boolean()
          : fc.constant(false),
  });
});

/** The bytes of such a file. */
export async function bytesOf({
  encoding,
  text,
  hasMark,
}: {
  encoding: EncodingName;
  text: string;
  hasMark: boolean;
}): Promise<Buffer> {
  const body = encoding === 'utf-8' ? Buffer.from(text, 'utf8') : await encodingNamed(encoding).encode(text);
  if (body === null) throw new Error(`${encoding} cannot hold ${text}`);
  return Buffer.concat([Uint8Array.from(hasMark ? (MARKS[encoding] ?? []) : []), body]);
}

/** Offsets that do not cut a character. */
function at(text: string, share: number): number {
  const points = [...text];
  return points.slice(0, Math.floor(points.length * share)).join('').length;
}

/** A file that is known to be text. */
export async function read(bytes: Uint8Array): Promise<TextFile> {
  const file = await decodeText(bytes);
  if (file === null) throw new Error('binary');
  return file;
}

/** The property: what is outside the changed spans is, byte for byte, what it was. */
export const changesKeepTheRest = fc.asyncProperty(
  someFile,
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }),
  fc.constantFrom('', 'new', 'a\nb', 'a\r\nb', '\r'),
  async (made, shares, replacement) => {
    const bytes = await bytesOf(made);
    const file = await read(bytes);
    // Which alphabet of single bytes a short text is in can only be guessed; its bytes have to stay whatever the guess.
    const isSingleByte = (SINGLE_BYTE as readonly string[]).includes(made.encoding);
    expect(isSingleByte ? (SINGLE_BYTE as readonly string[]).includes(file.encoding) : file.encoding === made.encoding).toBe(
      true,
    );
    if (!isSingleByte) expect(file.text).toBe(made.text);
    const offsets = shares.map((share) => at(file.text, share)).toSorted((a, b) => a - b);
    const changes = Array.from({ length: Math.floor(offsets.length / 2) }, (_, i) => ({
      start: offsets[2 * i] ?? 0,
      end: offsets[2 * i + 1] ?? 0,
      replacement,
    }));
    const changed = await changeText(file, changes);
    if ('problem' in changed) throw new Error(changed.problem);
    const written = Buffer.concat(changed.pieces);
    expect(written).toEqual(await bytesOf({ ...made, text: applyChanges(made.text, changes) }));
    const [first, last] = [changes[0], changes.at(-1)];
    const before = await bytesOf({ ...made, text: made.text.slice(0, first?.start) });
    const after = await bytesOf({ ...made, hasMark: false, text: made.text.slice(last?.end) });
    expect(written.subarray(0, before.length)).toEqual(before);
    expect(written.subarray(written.length - after.length)).toEqual(after);
  },
);
