import phrases from './phrases.json' with { type: 'json' };

/** The languages that the demo model answers in. */
export type Language = 'en' | 'zh';

/** The name of a phrase in phrases.json. */
export type PhraseName = keyof typeof phrases;

/** What stands for the `{names}` of a phrase. */
export type PhraseValues = Readonly<Record<string, string | number>>;

/** Chinese where the text has Chinese characters, else English. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** A phrase in a language, its `{names}` filled in. An English `{n|one|many}` picks by the number `n`. */
export function phrase(language: Language, name: PhraseName, values: PhraseValues = {}): string {
  return phrases[name][language]
    .replaceAll(/\{(\w+)\|([^|{}]*)\|([^|{}]*)\}/g, (_, key: string, one: string, many: string) =>
      values[key] === 1 ? one : many,
    )
    .replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}
