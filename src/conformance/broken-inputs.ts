import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../core/json-schema.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';

const OTHER_VALUES = ['text', -1, 0.5, 10_000_000_000, true, null, [], {}, ['a'], { a: 1 }, ''] as const;

/** Inputs like the given ones with one thing about them changed, most of which fit no longer: a key less, a key more, or a value of another kind. */
export function brokenLike(inputs: Arbitrary<unknown>, { properties = {} }: JsonSchema): Arbitrary<unknown> {
  const keys = Object.keys(properties);
  const other = fc.constantFrom<unknown>(...OTHER_VALUES);
  const more = fc
    .tuple(inputs, fc.constantFrom('unheard_of', 'Path', 'constructor'))
    .map(([input, key]) => ({ ...objectOf(input), [key]: 1 }));
  if (keys.length === 0) return fc.oneof(more, other);
  const key = fc.constantFrom(...keys);
  const less = fc.tuple(inputs, key).map(([input, gone]) => without(objectOf(input), gone));
  const changed = fc.tuple(inputs, key, other).map(([input, at, value]) => ({ ...objectOf(input), [at]: value }));
  return fc.oneof(less, more, { weight: 4, arbitrary: changed }, other);
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
