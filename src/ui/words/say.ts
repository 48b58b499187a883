import english from './en.json' with { type: 'json' };

/** Names a sentence. */
export type WordKey = keyof typeof english;
export type Catalogue = Readonly<Record<WordKey, string>>;
export type Values = Readonly<Record<string, string | number>>;

/** A sentence in the person's language, with values in its gaps. */
export type Say = (key: WordKey, values?: Values) => string;

export function createSay(catalogue: Catalogue): Say {
  return (key, values = {}) =>
    catalogue[key].replaceAll(/\{(\w+)\}/g, (gap, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : gap));
}

export const sayInEnglish: Say = createSay(english);
