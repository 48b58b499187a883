/** Anything that JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object whose values are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells a JSON object from arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether all these fields are texts. */
export function hasTexts(value: JsonObject, ...names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === 'string');
}

/** Whether a value counts something: JSON can also say numbers below zero, and such as no computer counts to. */
export function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
