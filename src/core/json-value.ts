/** Anything that JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON object whose values are not yet checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells a JSON object from arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
