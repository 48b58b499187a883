import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { byteOrderMark, detectLegacy } from './detect-encoding.ts';

const TEXTS = {
  gb18030: [
    '// 速度控制\r\nint speed = 3;\r\n',
    '这是一个用来测试的文件，里面有一些中文。\n第二行也是中文。\n',
    '名称=测试\nvalue=1\n',
  ],
  big5: ['// 速度控制的說明\nint speed = 3;\n', '這是一個用來測試的檔案，裡面有一些中文。\n第二行也是中文。\n'],
  shift_jis: ['// 速度の設定\nint speed = 3;\n', 'これはテスト用のファイルです。日本語の文章が入っています。\n', '名前=テスト\n'],
  'euc-jp': ['これはテスト用のファイルです。日本語の文章が入っています。\n二行目です。\n'],
  'euc-kr': ['이것은 시험용 파일입니다. 한국어 문장이 들어 있습니다.\n', '// 속도 설정\nint speed = 3;\n'],
  'windows-1251': ['Это проверочный файл с русским текстом внутри.\nВторая строка.\n'],
  'windows-1252': [
    'ok=perché\nno=x\n',
    'Une phrase française avec des élèves très âgés.\n',
    'Größe: „groß“ – für Übung\n',
    'café',
  ],
} as const;

describe('detectLegacy', () => {
  test.each(Object.entries(TEXTS).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
    '%s: %j',
    async (name, text) => {
      const bytes = iconv.encode(text, name === 'shift_jis' ? 'cp932' : name);
      expect(await detectLegacy(bytes)).toBe(name);
    },
  );

  test('bytes that are no text of any kind are not guessed at', async () => {
    expect(await detectLegacy(Uint8Array.of(0x81, 0x20, 0xff, 0x20, 0x8d, 0x0a))).toBeNull();
  });
});

test('byte order marks are told apart', () => {
  expect(byteOrderMark(Uint8Array.of(0xff, 0xfe, 0x41, 0))).toEqual({ encoding: 'utf-16le', length: 2 });
  expect(byteOrderMark(Uint8Array.of(0xff, 0xfe, 0, 0))).toEqual({ encoding: 'utf-32le', length: 4 });
  expect(byteOrderMark(Uint8Array.of(0xfe, 0xff, 0, 0x41))).toEqual({ encoding: 'utf-16be', length: 2 });
  expect(byteOrderMark(Uint8Array.of(0, 0, 0xfe, 0xff))).toEqual({ encoding: 'utf-32be', length: 4 });
  expect(byteOrderMark(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toEqual({ encoding: 'utf-8', length: 3 });
  expect(byteOrderMark(Uint8Array.of(0x41))).toBeNull();
});
