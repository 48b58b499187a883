import cues from './cues.json' with { type: 'json' };

/** The name of a family of words that hint at an intent (cues.json). */
export type CueName = keyof typeof cues;

const PATTERNS = new Map(
  Object.entries(cues).map(([name, sources]) => [name, new RegExp(sources.map((source) => `(?:${source})`).join('|'), 'i')]),
);

/** Whether a text, with its marks in it, has a cue of a family. */
export function hasCue(text: string, name: CueName): boolean {
  return PATTERNS.get(name)?.test(text) ?? false;
}

/** A text without the cues of some families. */
export function withoutCues(text: string, ...names: readonly CueName[]): string {
  return names.reduce((rest, name) => rest.replaceAll(new RegExp(PATTERNS.get(name)?.source ?? '(?!)', 'gi'), ' '), text);
}
