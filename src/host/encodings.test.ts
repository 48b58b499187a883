import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EncodingName, encodingNamed } from './encodings.ts';
import { applyChanges, changeText, decodeText, type TextFile } from './text-file.ts';

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

async function bytesOf({ encoding, text, hasMark }: { encoding: EncodingName; text: string; hasMark: boolean }): Promise<Buffer> {
  const body = encoding === 'utf-8' ? Buffer.from(text, 'utf8') : await encodingNamed(encoding).encode(text);
  if (body === null) throw new Error(`${encoding} cannot hold ${text}`);
  return Buffer.concat([Uint8Array.from(hasMark ? (MARKS[encoding] ?? []) : []), body]);
}

/** Offsets that do not cut a character. */
function at(text: string, share: number): number {
  const points = [...text];
  return points.slice(0, Math.floor(points.length * share)).join('').length;
}

async function read(bytes: Uint8Array): Promise<TextFile> {
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
    expect(file.encoding).toBe(made.encoding);
    expect(file.text).toBe(made.text);
    const offsets = shares.map((share) => at(file.text, share)).toSorted((a, b) => a - b);
    const changes = Array.from({ length: Math.floor(offsets.length / 2) }, (_, i) => ({
      start: offsets[2 * i] ?? 0,
      end: offsets[2 * i + 1] ?? 0,
      replacement,
    }));
    const changed = await changeText(file, changes);
    if ('problem' in changed) throw new Error(changed.problem);
    expect(Buffer.from(changed.bytes)).toEqual(await bytesOf({ ...made, text: applyChanges(file.text, changes) }));
    const [first, last] = [changes[0], changes.at(-1)];
    const before = await bytesOf({ ...made, text: file.text.slice(0, first?.start) });
    const after = await bytesOf({ ...made, hasMark: false, text: file.text.slice(last?.end) });
    expect(Buffer.from(changed.bytes.subarray(0, before.length))).toEqual(before);
    expect(Buffer.from(changed.bytes.subarray(changed.bytes.length - after.length))).toEqual(after);
  },
);

describe('text in any encoding', () => {
  test('bytes outside a change stay, whatever the encoding, line ends and mark (2,000 files)', { timeout: 120_000 }, async () => {
    await fc.assert(changesKeepTheRest, { numRuns: 2000 });
  });

  test('stray bytes in a UTF-8 file survive a change elsewhere', async () => {
    const bytes = Buffer.concat([
      Buffer.from('é 速度 ok '),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from(' old\n'),
    ]);
    const file = await read(bytes);
    expect(file.encoding).toBe('utf-8');
    const start = file.text.indexOf('old');
    const changed = await changeText(file, [{ start, end: start + 3, replacement: 'new' }]);
    expect(changed).toEqual({ bytes: Buffer.concat([bytes.subarray(0, -4), Buffer.from('new\n')]) });
  });

  test('what an encoding cannot hold is a problem that names it, and nothing else', async () => {
    const file = await read(await bytesOf({ encoding: 'windows-1252', text: 'ok=perché\nno=x\n', hasMark: false }));
    expect(await changeText(file, [{ start: 0, end: 2, replacement: 'caffè' }])).toEqual({
      bytes: Buffer.from('caff\xe8=perch\xe9\nno=x\n', 'latin1'),
    });
    expect(await changeText(file, [{ start: 0, end: 2, replacement: 'a速b' }])).toEqual({
      problem: 'the file is in windows-1252, which cannot hold "速"',
    });
  });

  test('half of a surrogate pair in UTF-16 is data', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\ud83d b old', 'utf16le')]);
    const file = await read(bytes);
    const start = file.text.indexOf('old');
    expect(await changeText(file, [{ start, end: start + 3, replacement: 'x' }])).toEqual({
      bytes: Buffer.concat([bytes.subarray(0, -6), Buffer.from('x', 'utf16le')]),
    });
  });
});
