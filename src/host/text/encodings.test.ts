import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, changesKeepTheRest, read } from '../../../test/changes-keep-the-rest.ts';
import { changeText, type TextChange, type TextFile } from './text-file.ts';

/** The bytes after a change, or why there are none. */
async function after(file: TextFile, change: TextChange): Promise<{ readonly bytes: Uint8Array } | { readonly problem: string }> {
  const changed = await changeText(file, [change]);
  return 'problem' in changed ? changed : { bytes: Buffer.concat(changed.pieces) };
}

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
    const changed = await after(file, { start, end: start + 3, replacement: 'new' });
    expect(changed).toEqual({ bytes: Buffer.concat([bytes.subarray(0, -4), Buffer.from('new\n')]) });
  });

  test('what an encoding cannot hold is a problem that names it, and nothing else', async () => {
    const file = await read(await bytesOf({ encoding: 'windows-1252', text: 'ok=perché\nno=x\n', hasMark: false }));
    expect(await after(file, { start: 0, end: 2, replacement: 'caffè' })).toEqual({
      bytes: Buffer.from('caff\xe8=perch\xe9\nno=x\n', 'latin1'),
    });
    expect(await after(file, { start: 0, end: 2, replacement: 'a速b' })).toEqual({
      problem: 'the file is in windows-1252, which cannot hold "速"',
    });
  });

  test.each([
    ['ISO-2022-JP', Buffer.from('\u001b$BF|K\\8l\u001b(B old\n', 'latin1'), 'ISO 2022'],
    ['code page 437', Buffer.from([0xc9, 0xcd, 0xcd, 0xbb, ...Buffer.from(' old '), 0xc8, 0xcd, 0xbc, 0x0a]), 'not clear'],
    ['UTF-8 with as many stray bytes', Buffer.from([0xc3, 0xa9, ...Buffer.from(' old '), 0xff, 0x0a]), 'not clear'],
  ])('only ASCII is put into %s', async (_name, bytes, reason) => {
    const file = await read(bytes);
    const start = file.text.indexOf('old');
    const plain = await after(file, { start, end: start + 3, replacement: 'new' });
    expect(plain).toEqual({ bytes: Buffer.from(Buffer.from(bytes).toString('latin1').replace('old', 'new'), 'latin1') });
    expect(await after(file, { start, end: start + 3, replacement: 'ü' })).toEqual({ problem: expect.stringContaining(reason) });
  });

  test('half of a surrogate pair in UTF-16 is data', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\ud83d b old', 'utf16le')]);
    const file = await read(bytes);
    const start = file.text.indexOf('old');
    expect(await after(file, { start, end: start + 3, replacement: 'x' })).toEqual({
      bytes: Buffer.concat([bytes.subarray(0, -6), Buffer.from('x', 'utf16le')]),
    });
  });
});
