import { describe, expect, test } from 'vitest';
import { cleanOutput, decodeOutput, wholeCharacters } from './terminal-text.ts';

describe('cleanOutput', () => {
  test.each([
    ['colours', '\u001b[1;31mred\u001b[0m \u001b[38:2::255:0:0mrgb\u001b[m', 'red rgb'],
    ['the escapes of tput sgr0', '\u001b(B\u001b[mplain', 'plain'],
    ['cursor and screen modes', '\u001b[?25l\u001b[2J\u001b[H\u001b[?2004h\u001b[2 q\u001b7x\u001b8\u001b=\u001b>\u001bc', 'x'],
    [
      'titles, links and other strings',
      '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\c\u001bPq#0\u001b\\d\u001b_x\u001b\\e',
      'abcde',
    ],
    ['an unfinished string, up to its line', 'a\u001b]0;title\nb', 'a\nb'],
    ['control sequences of eight bits', '\u009b31mred', 'red'],
  ])('removes %s', (_name, text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
  });

  test.each([
    ['a redraw', '10%\r50%\r100%\n', '100%\n'],
    ['a shorter redraw leaves the rest', 'abcdef\rXY', 'XYcdef'],
    ['CRLF is a line end', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['erasing to the end of the line', 'Downloading 99%\r\u001b[KDone', 'Done'],
    ['erasing the whole line', 'Downloading 99%\u001b[2K\rDone', 'Done'],
    ['erasing what stands before', 'abc\u001b[1Kd', '   d'],
    ['backspaces', '|\b/\b-\bok', 'ok'],
    ['overstruck words of a manual page', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['characters outside the first plane', '😀😀\ra', 'a😀'],
    ['a progress bar that ends without a line end', '\r1\r2\r3', '3'],
  ])('folds %s', (_name, text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
    expect(cleanOutput(text).isWellFormed()).toBe(true);
  });

  test('shows other control bytes and keeps tabs', () => {
    expect(cleanOutput('a\0b\u0007\tc\u001b\nd\u007f\u0085')).toBe('a\\x00b\\x07\tc\\x1b\nd\\x7f\\x85');
  });

  test('leaves plain text alone', () => {
    const text = 'plain [31m text, 日本 👩‍👩‍👧 \ufeff\n\n  indented\n';
    expect(cleanOutput(text)).toBe(text);
  });
});

test('decodeOutput shows bytes that are no UTF-8 and keeps a byte order mark', () => {
  expect(decodeOutput(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff, 0xc3, 0x62))).toBe('\ufeffa\ufffd\ufffdb');
});

describe('wholeCharacters', () => {
  test.each([
    ['one byte a character', 'abc', 0, 3, 'abc'],
    ['a character cut at the end', 'a😀', 0, 3, 'a'],
    ['a character cut at the start', '😀b', 2, 5, 'b'],
    ['cuts at both ends', '日本語', 1, 8, '本'],
    ['whole characters of four bytes', '😀😀', 0, 8, '😀😀'],
    ['nothing', '', 0, 0, ''],
  ])('%s', (_name, text, from, to, expected) => {
    expect(Buffer.from(wholeCharacters(Buffer.from(text).subarray(from, to))).toString()).toBe(expected);
  });

  test('bytes that are no characters stay', () => {
    expect([...wholeCharacters(Uint8Array.of(0x61, 0xff))]).toEqual([0x61, 0xff].slice(0, 1));
    expect([...wholeCharacters(Uint8Array.of(0xff, 0x61))]).toEqual([0xff, 0x61]);
  });
});
