import type { JsonValue } from './json-value.ts';

/** A JSON Schema (draft 2020-12) as data. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | boolean;
  readonly enum?: readonly JsonValue[];
  readonly [keyword: string]: unknown;
}

/** The TypeScript type of values that a literal schema admits. What it cannot tell is `unknown`. */
export type FromSchema<S> = S extends { readonly enum: readonly (infer V)[] }
  ? V
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'integer' | 'number' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'array'; readonly items: infer Items }
          ? readonly FromSchema<Items>[]
          : S extends { readonly type: 'object'; readonly properties: infer P }
            ? ObjectFrom<P, RequiredKeys<S>>
            : unknown;

type RequiredKeys<S> = S extends { readonly required: readonly (infer K)[] } ? K : never;
type ObjectFrom<P, R> = { readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
  readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>;
};

/**
 * The part of a schema that says what is wrong with it as a tool's input, or null.
 * A tool takes an object with at least one described property, or says outright that it takes none (`properties: {}`).
 */
export function schemaFault(schema: JsonSchema): string | null {
  if (Object.keys(schema).length === 0) return 'the schema is empty';
  if (schema.type !== 'object') return `the schema's root must have type "object"`;
  if (schema.properties === undefined) return 'the schema names no properties; write properties: {} for a tool without input';
  const unknown = (schema.required ?? []).find((key) => !Object.hasOwn(schema.properties ?? {}, key));
  if (unknown !== undefined) return `the schema requires "${unknown}", which is not among its properties`;
  return valueFault(schema, schema, '#');
}

/** What JSON cannot say, and references that lead nowhere. */
function valueFault(value: unknown, root: JsonSchema, place: string, above: readonly unknown[] = []): string | null {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number' && Number.isFinite(value)) return null;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (typeof value !== 'object' || !isPlain) return `the schema is not representable as JSON: ${place} is ${nameOfKind(value)}`;
  if (above.includes(value)) return `the schema is not representable as JSON: ${place} leads back to itself`;
  for (const [key, item] of Object.entries(value)) {
    const below = `${place}/${key}`;
    if (key === '$ref' && typeof item === 'string' && !isResolvable(item, root))
      return `the reference ${item} at ${below} leads nowhere`;
    const fault = valueFault(item, root, below, [...above, value]);
    if (fault !== null) return fault;
  }
  return null;
}

function nameOfKind(value: unknown): string {
  return typeof value === 'object' ? `a ${value?.constructor?.name ?? 'bare object'}` : `a ${typeof value}`;
}

/** Only references within the schema are followed here; a `$id` or `$anchor` is the checker's business. */
function isResolvable(reference: string, root: JsonSchema): boolean {
  if (!reference.startsWith('#/')) return true;
  let at: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = (at as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  }
  return at !== undefined;
}
