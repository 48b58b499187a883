import english from './en.json' with { type: 'json' };

/** Names a sentence. */
export type WordKey = keyof typeof english;
export type Catalogue = Readonly<Record<WordKey, string>>;
export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = ['en', 'zh', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A sentence in the person's language, with values in its gaps. */
export type Say = (key: WordKey, values?: Values) => string;

export function createSay(catalogue: Catalogue): Say {
  return (key, values = {}) =>
    catalogue[key].replaceAll(/\{(\w+)\}/g, (gap, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : gap));
}

export const sayInEnglish: Say = createSay(english);

/** Of a locale such as `zh_CN.UTF-8`, or a language's own name; English where there is no catalogue. */
export function languageOf(locale: string): Language {
  return LANGUAGES.find((language) => new RegExp(`^${language}(?:[_.@-]|$)`, 'i').test(locale)) ?? 'en';
}

/** The catalogue of a language; only English is loaded before it is asked for. */
export async function loadSay(language: Language): Promise<Say> {
  switch (language) {
    case 'en':
      return sayInEnglish;
    case 'zh':
      return createSay((await import('./zh.json', { with: { type: 'json' } })).default);
    case 'ja':
      return createSay((await import('./ja.json', { with: { type: 'json' } })).default);
  }
}
