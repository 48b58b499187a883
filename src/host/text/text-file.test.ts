import { describe, expect, test } from 'vitest';
import { changeText, decodeText, isBinary, lineAt, readableText, rewriteText, splitLines } from './text-file.ts';

const bytesOf = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

/** The file after one change. */
async function changed(bytes: Uint8Array, search: string, replacement: string): Promise<Buffer> {
  const file = await decodeText(bytes);
  if (file === null) throw new Error('binary');
  const start = file.text.indexOf(search);
  const result = await changeText(file, [{ start, end: start + search.length, replacement }]);
  if ('problem' in result) throw new Error(result.problem);
  return Buffer.concat(result.pieces);
}

describe('UTF-8', () => {
  // Long enough that stray bytes do not make the file something older.
  const SOUND = 'déjà vu 日本語テキスト 😀\n';

  test.each([
    ['plain', bytesOf('a x b\n')],
    ['with a byte order mark', bytesOf('\ufeffa x b\r\n')],
    ['with two byte order marks', bytesOf('\ufeff\ufeffa x b')],
    ['with CRLF, LF and lone CR', bytesOf('a\r\nx\rb\n')],
    ['without a final line end', bytesOf('a\nx')],
    ['with a NUL behind its start', bytesOf('a'.repeat(512), 0, 'x')],
    ['with stray bytes', bytesOf(SOUND, 0xff, 0x80, 'x', 0xc3)],
    ['with a character cut in two', bytesOf(SOUND, 'x', 0xe6, 0x97, 'y')],
    ['with an overlong form', bytesOf(SOUND, 'x', 0xc0, 0xaf, 0xe0, 0x80, 0xaf)],
    ['with half of a pair encoded', bytesOf(SOUND, 'x', 0xed, 0xa0, 0x80)],
    ['with more than Unicode has', bytesOf(SOUND, 'x', 0xf4, 0x90, 0x80, 0x80, 0xf5)],
    ['with a replacement character', bytesOf('x\ufffd')],
  ])('a file %s keeps every byte outside of a change', async (_name, bytes) => {
    const at = bytes.lastIndexOf('x');
    const expected = Buffer.concat([bytes.subarray(0, at), Buffer.from('é😀'), bytes.subarray(at + 1)]);
    expect(await changed(bytes, 'x', 'é😀')).toEqual(expected);
  });

  test('stray bytes beside a change stay what they are, though together they would be a character', async () => {
    expect(await changed(bytesOf(SOUND, 0xc3, 'x', 0xa9), 'x', '')).toEqual(bytesOf(SOUND, 0xc3, 0xa9));
  });

  test('text is shown without its mark, and stray bytes as such', async () => {
    const file = await decodeText(bytesOf('\ufeff', SOUND, 'caf', 0xe9));
    expect(file).toMatchObject({ encoding: 'utf-8', markLength: 3 });
    expect(readableText(file?.text ?? '')).toBe(`${SOUND}caf\ufffd`);
  });

  test('a rewritten file keeps its mark, and has one', async () => {
    const file = await decodeText(bytesOf('\ufeffold'));
    if (file === null) throw new Error('binary');
    expect(await rewriteText(file, 'new')).toEqual({ bytes: bytesOf('\ufeffnew') });
    expect(await rewriteText(file, '\ufeffnew')).toEqual({ bytes: bytesOf('\ufeffnew') });
  });
});

test('a NUL in the first 512 bytes is what makes a file binary', async () => {
  expect(isBinary(bytesOf('a'.repeat(511), 0))).toBe(true);
  expect(isBinary(bytesOf('a'.repeat(512), 0))).toBe(false);
  expect(isBinary(new Uint8Array())).toBe(false);
  expect(await decodeText(bytesOf('a', 0))).toBeNull();
});

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\n', ['a', '']],
  ['\n', ['']],
  ['a\r\nb\rc\n', ['a', 'b\rc']],
  ['a\r', ['a\r']],
  ['a\r\n\r', ['a', '\r']],
])('the lines of %j', (text, expected) => {
  expect(splitLines(text)).toEqual(expected);
});

test('an offset lies in the line that it stands in', () => {
  expect([0, 1, 2, 3, 4, 5].map((offset) => lineAt('a\n\nbc', offset))).toEqual([1, 1, 2, 3, 3, 3]);
});
