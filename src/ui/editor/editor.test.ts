import { describe, expect, test } from 'vitest';
import { KeyParser } from '../keys/parse-keys.ts';
import { editByKey } from './edit-keys.ts';
import { layoutText, moveByRow } from './layout-text.ts';
import { expandPastes, markerLabel, showPastes, takePaste } from './pastes.ts';
import { bufferOf, deleteBy, insert, moveBy, type TextBuffer } from './text-buffer.ts';

/** `|` is the caret. */
function at(text: string): TextBuffer {
  return { text: text.replace('|', ''), caret: text.indexOf('|') };
}

function seen({ text, caret }: TextBuffer): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

function pressed(text: string, data: string): string {
  const parser = new KeyParser();
  let edited = { buffer: at(text), cut: '' };
  for (const key of [...parser.feed(data), ...parser.flush()]) edited = editByKey(edited, key) ?? edited;
  return seen(edited.buffer);
}

describe('a text with a caret', () => {
  test.each([
    ['ab|c', '\u0001', '|abc'],
    ['one\ntw|o', '\u0001', 'one\n|two'],
    ['|one\ntwo', '\u0005', 'one|\ntwo'],
    ['one two|', '\u0017', 'one |'],
    ['one two|', '\u0017\u0019\u0019', 'one twotwo|'],
    ['say 你好|', '\u001bb', 'say |你好'],
    ['one\n|two', '\u007f', 'one|two'],
    ['a👩‍🚀|b', '\u007f', 'a|b'],
    ['e\u0301|', '\u001b[D', '|e\u0301'],
    ['|x', '\u007f', '|x'],
    ['one|\ntwo', '\u000b', 'one|two'],
    ['|\none', '\u001b[C', '\n|one'],
  ])('%j after %j is %j', (before, keys, after) => {
    expect(pressed(before, keys)).toBe(after);
  });
});

describe('the layout of a text', () => {
  test('breaks rows by columns, and never a wide character', () => {
    const { rows, caretRow, caretColumn } = layoutText(bufferOf('ab中文字'), 5);
    expect(rows.map(({ shown }) => shown)).toEqual(['ab中', '文字']);
    expect([caretRow, caretColumn]).toEqual([1, 4]);
  });

  test('the caret after a full row stands at the start of the next', () => {
    const { rows, caretRow, caretColumn } = layoutText(bufferOf('abcd'), 4);
    expect([rows.length, caretRow, caretColumn]).toEqual([2, 1, 0]);
  });

  test('the caret moves by rows that are drawn, and stops at the first and the last', () => {
    expect(seen(moveByRow(at('abcdef|\nx'), 4, -1) ?? bufferOf(''))).toBe('ab|cdef\nx');
    expect(moveByRow(at('abc|def'), 4, -1)).toBeNull();
    expect(seen(moveByRow(at('ab|c\nd'), 10, 1) ?? bufferOf(''))).toBe('abc\nd|');
  });
});

describe('a long paste', () => {
  const lines = Array.from({ length: 42 }, (_, i) => `line ${i}`).join('\n');

  test('is one marker, which the caret passes and a key deletes as a whole', () => {
    const { added, pastes } = takePaste(`${lines}\r\n`, new Map());
    const buffer = insert(bufferOf('see '), added);
    expect(showPastes(buffer.text, pastes)).toBe('see [Pasted #1 42 lines]');
    expect(expandPastes(buffer.text, pastes)).toBe(`see ${lines}`);
    expect(moveBy(buffer, -1).caret).toBe(4);
    expect(deleteBy(buffer, -1).text).toBe('see ');
    const { rows, caretColumn } = layoutText(buffer, 40, (character) => markerLabel(character, pastes));
    expect([rows[0]?.shown, caretColumn]).toEqual(['see [Pasted #1 42 lines]', 24]);
  });

  test('a short one stands in the text, without what steers a terminal and without its last line end', () => {
    expect(takePaste('a\u001b[2J\tb\rc\n', new Map()).added).toBe('a[2J    b\nc');
  });

  test('a character that stands for pastes cannot be pasted', () => {
    expect(takePaste('\u{10f001}', new Map()).added).toBe('\ufffd');
  });
});
