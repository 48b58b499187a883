/** A value that a configuration filled in, and what stands for it where it is told. */
export interface Mask {
  readonly shown: string;
  readonly value: string;
}

/** Shorter ones are in any text, and no secret. */
const MIN_CHARS = 4;

/** A text without what was filled in, in the forms in which an error repeats it: as it was, in a URL, in JSON, in other letters. */
export function maskFilled(text: string, masks: readonly Mask[]): string {
  const forms = masks
    .filter(({ value }) => value.trim().length >= MIN_CHARS)
    .flatMap(({ shown, value }) => formsOf(value.trim()).map((form) => ({ shown, form })))
    // One value can be part of another.
    .toSorted((a, b) => b.form.length - a.form.length);
  return forms.reduce((masked, { shown, form }) => masked.replaceAll(literal(form), () => shown), text);
}

function formsOf(value: string): readonly string[] {
  const wellFormed = value.toWellFormed();
  return [...new Set([value, encodeURI(wellFormed), encodeURIComponent(wellFormed), JSON.stringify(value).slice(1, -1)])];
}

/** A host is told in small letters. */
function literal(form: string): RegExp {
  return new RegExp(form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`), 'gi');
}
