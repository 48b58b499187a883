import type { JsonSchema } from '../core/json-schema.ts';
import { isJsonObject } from '../core/json-value.ts';

/** A schema inside another. `path` is as a person would write it: `todos[].content`. */
export interface SchemaPlace {
  readonly path: string;
  readonly schema: JsonSchema;
  /** True where a model fills it in by name. */
  readonly isProperty: boolean;
}

const UNIONS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLES = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const MAX_DEPTH = 40;

/** Every schema below the top, in order. References are not followed: what they lead to is met where it stands. */
export function schemasBelow(schema: JsonSchema, path = '', depth = 0): readonly SchemaPlace[] {
  if (depth > MAX_DEPTH) return [];
  const deeper = (value: unknown, at: string, isProperty: boolean): readonly SchemaPlace[] =>
    isJsonObject(value) ? [{ path: at, schema: value, isProperty }, ...schemasBelow(value, at, depth + 1)] : [];
  const named = (map: unknown, isProperty: boolean): readonly SchemaPlace[] =>
    Object.entries(isJsonObject(map) ? map : {}).flatMap(([key, value]) =>
      deeper(value, path === '' ? key : `${path}.${key}`, isProperty),
    );
  return [
    ...named(schema.properties, true),
    ...named(schema['$defs'] ?? schema['definitions'], false),
    ...named(schema['patternProperties'], false),
    ...deeper(schema.items, `${path}[]`, false),
    ...UNIONS.flatMap((word) => listOf(schema[word]).flatMap((member) => deeper(member, path, false))),
    ...SINGLES.flatMap((word) => deeper(schema[word], path, false)),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
