import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Key, keyId } from './key.ts';
import { KeyParser } from './parse-keys.ts';

function read(...pieces: readonly string[]): readonly (string | null)[] {
  const parser = new KeyParser();
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.flush()].map(shown);
}

function shown(key: Key): string | null {
  return key.type === 'key' ? keyId(key) : `${key.type} ${key.text}`;
}

describe('keys', () => {
  test.each([
    ['hi\r', ['text hi', 'enter']],
    ['\u001b', ['escape']],
    ['\u001b\u001b', ['escape', 'escape']],
    ['\u001b[A\u001bOB\u001b[1;5C', ['up', 'down', 'ctrl+right']],
    ['\u001b\r', ['alt+enter']],
    ['\u001b[13;2u\u001b[13;5u\u001b[27;5;13~', ['shift+enter', 'ctrl+enter', 'ctrl+enter']],
    ['\u001b[27u\u001b[99;5u', ['escape', 'ctrl+c']],
    ['\u001b[99;5:3u', []],
    ['\u0003\n\u0012\u007f', ['ctrl+c', 'ctrl+j', 'ctrl+r', 'backspace']],
    ['\u001bb\u001b[Z\u001b[3~', ['alt+b', 'shift+tab', 'delete']],
    ['\u001b]11;rgb:0000/0000/0000\u0007\u001b[?1u\u001b[Ia', ['text a']],
    ['中文👩‍🚀', ['text 中文👩‍🚀']],
    ['\u001b[200~two\nlines\r\u001b[201~x', ['paste two\nlines\r', 'text x']],
  ])('%j', (data, expected) => {
    expect(read(data)).toEqual(expected);
  });

  test('in pieces of any size are the same keys', () => {
    const data = 'a中\u001b[1;5C\u001b[200~x\u001b[A\ny\u001b[201~\u001b[13;2u\u0003b';
    const whole = read(data);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 })), (sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) pieces.push(data.slice(at, (at += size)));
        pieces.push(data.slice(at));
        const keys = read(...pieces);
        // Text comes in the pieces that it was sent in.
        expect(keys.filter((key) => !key?.startsWith('text'))).toEqual(whole.filter((key) => !key?.startsWith('text')));
        expect(
          keys
            .filter((key) => key?.startsWith('text'))
            .map((key) => key?.slice(5))
            .join(''),
        ).toBe('a中b');
      }),
    );
  });
});
