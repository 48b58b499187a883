import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../core/json-schema.ts';
import { isJsonObject } from '../core/json-value.ts';

/** What made-up values may draw on. */
export interface Maker {
  /** Paths that are there, and one that is not: what a key that speaks of a path gets. */
  readonly paths: readonly string[];
  /** False where a pattern may never come to an end. */
  readonly trustsPatterns: boolean;
}

const MAX_DEPTH = 6;
const PATH_KEY = /path|file|dir|folder|cwd|root/i;
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-11-30T09:00:00Z'],
  date: ['2026-11-30'],
  time: ['09:00:00Z'],
  email: ['person@example.com'],
  uri: ['https://example.com/page'],
  url: ['https://example.com/page'],
  uuid: ['0b8f3c1e-5f0f-4c39-9a2e-3a4d1c9b7e10'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
};

/** Values of a schema, as far as it says; whether one really fits is the checker's to say. */
export function valuesOf(schema: JsonSchema, maker: Maker): Arbitrary<unknown> {
  return valueOf(schema, { ...maker, root: schema, depth: 0, key: '' });
}

interface Place extends Maker {
  readonly root: JsonSchema;
  readonly depth: number;
  readonly key: string;
}

function valueOf(schema: JsonSchema, place: Place): Arbitrary<unknown> {
  if (place.depth > MAX_DEPTH) return fc.constant(null);
  const deeper = { ...place, depth: place.depth + 1 };
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema['const']);
  const target = typeof schema['$ref'] === 'string' ? referred(place.root, schema['$ref']) : null;
  if (target !== null) return valueOf(target, deeper);
  const { anyOf, oneOf, allOf, ...beside } = schema;
  const forms = [anyOf, oneOf].flat().filter(isJsonObject);
  if (forms.length > 0) return fc.oneof(...forms.map((form) => valueOf(merged(beside, form), deeper)));
  const parts = [allOf].flat().filter(isJsonObject);
  if (parts.length > 0) return valueOf(parts.reduce<JsonSchema>(merged, beside), deeper);
  const types = [schema.type ?? typeByWords(schema)].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, deeper)));
}

function ofType(type: string, schema: JsonSchema, place: Place): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema, place);
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.oneof(integers(schema), numbers(schema));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, place);
    default:
      return objects(schema, place);
  }
}

function texts(schema: JsonSchema, { key, paths, trustsPatterns }: Place): Arbitrary<string> {
  const { pattern, format } = schema;
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return fc.constantFrom(...known);
  const minLength = numberOr(schema['minLength'], 0);
  const maxLength = Math.max(minLength, Math.min(numberOr(schema['maxLength'], minLength + 12), minLength + 40));
  if (typeof pattern === 'string' && trustsPatterns) {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'));
    } catch {
      // A pattern that is none of this language: whatever is made is checked anyway.
    }
  }
  const words = fc
    .constantFrom('notes', 'first line', 'a', 'price', '第一行', '0')
    .filter((word) => word.length >= minLength && word.length <= maxLength);
  const any = fc.string({ minLength, maxLength, unit: 'grapheme' });
  const usual = minLength <= 1 && maxLength >= 10 ? fc.oneof(words, any) : any;
  return PATH_KEY.test(key) && maxLength > 10 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...paths) }, usual) : usual;
}

function integers(schema: JsonSchema): Arbitrary<number> {
  const { min, max } = rangeOf(schema);
  const step = numberOr(schema['multipleOf'], 1);
  const low = Math.ceil(min / step);
  const high = Math.max(low, Math.floor(max / step));
  const ends = [low, high].map((count) => count * step);
  return fc.oneof(
    fc.constantFrom(...ends),
    fc.integer({ min: low, max: high }).map((count) => count * step),
  );
}

function numbers(schema: JsonSchema): Arbitrary<number> {
  const { min, max } = rangeOf(schema);
  if (schema['multipleOf'] !== undefined) return integers(schema);
  return fc.double({ min, max: Math.max(min, max), noNaN: true, noDefaultInfinity: true });
}

function rangeOf(schema: JsonSchema): { readonly min: number; readonly max: number } {
  const min = Math.max(numberOr(schema['minimum'], -Infinity), numberOr(schema['exclusiveMinimum'], -Infinity) + 1);
  const max = Math.min(numberOr(schema['maximum'], Infinity), numberOr(schema['exclusiveMaximum'], Infinity) - 1);
  return {
    min: clamp(Number.isFinite(min) ? min : Math.min(0, max)),
    max: clamp(Number.isFinite(max) ? max : Math.max(1000, min)),
  };
}

function clamp(value: number): number {
  return Math.max(-2_000_000_000, Math.min(2_000_000_000, value));
}

function lists(schema: JsonSchema, place: Place): Arbitrary<readonly unknown[]> {
  const fixed = schema['prefixItems'];
  if (Array.isArray(fixed)) return fc.tuple(...fixed.filter(isJsonObject).map((item) => valueOf(item, place)));
  const minLength = numberOr(schema['minItems'], 0);
  const maxLength = Math.max(minLength, Math.min(numberOr(schema['maxItems'], minLength + 3), minLength + 3));
  const items = isJsonObject(schema.items) ? valueOf(schema.items, place) : fc.constantFrom('a', 1);
  const options = { minLength, maxLength };
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(items, { ...options, selector: (item) => JSON.stringify(item) })
    : fc.array(items, options);
}

function objects(schema: JsonSchema, place: Place): Arbitrary<unknown> {
  const required = schema.required ?? [];
  const known = Object.entries(schema.properties ?? {}).filter(([, value]) => isJsonObject(value));
  const entries = known.map(([key, value]) => {
    const made = valueOf(value, { ...place, key });
    return required.includes(key)
      ? made.map((item) => [key, item])
      : fc.option(
          made.map((item) => [key, item]),
          { nil: null, freq: 2 },
        );
  });
  const more = isJsonObject(schema.additionalProperties)
    ? fc.dictionary(fc.constantFrom('one', 'two'), valueOf(schema.additionalProperties, place), { maxKeys: 2 })
    : fc.constant({});
  return fc
    .tuple(fc.tuple(...entries), more)
    .map(([pairs, extra]) => ({ ...extra, ...Object.fromEntries(pairs.filter((pair) => pair !== null) as [string, unknown][]) }));
}

function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  const required = [...(a.required ?? []), ...(b.required ?? [])];
  return {
    ...a,
    ...b,
    ...(a.properties === undefined && b.properties === undefined ? {} : { properties: { ...a.properties, ...b.properties } }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function referred(root: JsonSchema, reference: string): JsonSchema | null {
  const keys = reference
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), root);
  return isJsonObject(target) ? target : null;
}

function typeByWords(schema: JsonSchema): string {
  if (schema.properties !== undefined) return 'object';
  return schema.items === undefined ? 'string' : 'array';
}

function numberOr(value: unknown, usual: number): number {
  return typeof value === 'number' ? value : usual;
}
