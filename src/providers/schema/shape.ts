import { isJsonObject, type JsonObject } from '../../core/json-value.ts';

/** A schema in another shape, or why it has none. */
export type Reshaped = { readonly schema: JsonObject } | { readonly problem: string };

/** Thrown inside a reshaping where no shape would be accepted. */
export class SchemaProblem extends Error {}

/** What a reshaping gives, or the problem that it met. */
export function reshape(make: () => JsonObject): Reshaped {
  try {
    return { schema: make() };
  } catch (thrown) {
    if (thrown instanceof SchemaProblem) return { problem: thrown.message };
    throw thrown;
  }
}

/** The words that `type` may be. */
export const SCHEMA_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What a reference within a schema leads to. Errors: throws a SchemaProblem where that is nothing. */
export function resolveReference(reference: unknown, root: JsonObject): JsonObject {
  const path = typeof reference === 'string' ? reference : '';
  let at: unknown = path === '#' || path.startsWith('#/') ? root : null;
  for (const part of path.split('/').slice(1)) {
    const key = decodePart(part);
    at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  if (!isJsonObject(at)) throw new SchemaProblem(`the reference ${JSON.stringify(reference)} leads nowhere`);
  return at;
}

function decodePart(part: string): string {
  return decodeUri(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A % that is no escape stands for itself.
    return text;
  }
}
