import { expect, test } from 'vitest';
import english from './en.json' with { type: 'json' };
import japanese from './ja.json' with { type: 'json' };
import { createSay, languageOf, loadSay, sayInEnglish, type WordKey } from './say.ts';
import chinese from './zh.json' with { type: 'json' };

const gapsIn = (sentence: string): readonly string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted();

test('each language has each sentence, with the same gaps, and none is left in English', () => {
  for (const catalogue of [chinese, japanese] as readonly Readonly<Record<string, string>>[]) {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english));
    for (const [key, sentence] of Object.entries(english)) {
      const told = catalogue[key] ?? '';
      expect([key, gapsIn(told)]).toEqual([key, gapsIn(sentence)]);
      expect([key, told]).not.toEqual([key, sentence]);
    }
  }
});

test('values fill their gaps once; what stands in a value is no gap', () => {
  expect(sayInEnglish('outcome_exit', { code: 1 })).toBe('exit 1');
  expect(sayInEnglish('outcome_failed', { why: '{why} $& {constructor}' })).toBe('failed: {why} $& {constructor}');
  expect(createSay(english)('no_command' satisfies WordKey)).toContain('{name}');
});

test('the locale decides, and what is not known speaks English', async () => {
  expect(['zh_CN.UTF-8', 'zh', 'ja_JP', 'JA', 'en_GB', 'zhx_X', 'C.UTF-8', ''].map(languageOf)).toEqual([
    'zh',
    'zh',
    'ja',
    'ja',
    'en',
    'en',
    'en',
    'en',
  ]);
  expect((await loadSay('zh'))('help_hint')).toBe('? 帮助');
  expect((await loadSay('ja'))('help_hint')).toBe('? ヘルプ');
});
