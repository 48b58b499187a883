import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject } from '../json-fields.ts';
import { resolveReference, SchemaProblem } from './shape.ts';

const DROPPED_AT_TOP = new Set('type properties required $ref anyOf oneOf allOf not if then else enum const'.split(' '));

/**
 * A schema whose top is one plain object: a union or a reference there makes Anthropic and OpenAI refuse every request.
 * Properties of all members are offered; only what each alternative requires stays required.
 * Errors: throws a SchemaProblem where the top is no object. Source: kesslerio/attio-mcp-server, nspady/google-calendar-mcp#39
 */
export function flattenTop(schema: JsonObject): JsonObject {
  const { properties, required } = membersOf(schema, schema, 0);
  const needed = required.filter((key) => Object.hasOwn(properties, key));
  const own = { type: 'object', properties, ...(needed.length === 0 ? {} : { required: needed }) };
  // In the order of the schema, which a prompt cache remembers.
  const kept = Object.entries(schema).filter(([key]) => !DROPPED_AT_TOP.has(key) || Object.hasOwn(own, key));
  return { ...Object.fromEntries(kept), ...own };
}

interface Members {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

const MAX_NESTING = 8;

function membersOf(schema: JsonObject, root: JsonObject, depth: number): Members {
  if (depth > MAX_NESTING) throw new SchemaProblem('its top refers to itself');
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? 'object'];
  if (!types.includes('object')) throw new SchemaProblem(`it takes ${JSON.stringify(schema['type'])} and no object`);
  const inside = (member: JsonObject): Members => membersOf(member, root, depth + 1);
  const { $ref: reference, allOf, anyOf, oneOf } = schema;
  return [
    ...(reference === undefined ? [] : [inside(resolveReference(reference, root))]),
    ...asArray(allOf).filter(isJsonObject).map(inside),
    ...[anyOf, oneOf].flatMap((union) => alternativesOf(union, inside)),
  ].reduce(both, ownMembers(schema));
}

function ownMembers(schema: JsonObject): Members {
  const required = asArray(schema['required']).filter((key) => typeof key === 'string');
  return { properties: asObject(schema['properties']), required };
}

/** An alternative that is no object cannot be a call's input: where others are, it is left out. */
function alternativesOf(union: unknown, inside: (member: JsonObject) => Members): Members[] {
  const members = asArray(union).filter(isJsonObject);
  const objects = members.filter(({ type }) => type === undefined || type === 'object' || asArray(type).includes('object'));
  const flat = (objects.length === 0 ? members : objects).map(inside);
  return flat.length === 0 ? [] : [flat.reduce(either)];
}

function both(a: Members, b: Members): Members {
  return { properties: mergeProperties(a.properties, b.properties), required: [...new Set([...a.required, ...b.required])] };
}

function either(a: Members, b: Members): Members {
  return {
    properties: mergeProperties(a.properties, b.properties),
    required: a.required.filter((key) => b.required.includes(key)),
  };
}

/** A property that two members know in different ways is either of them. */
function mergeProperties(a: JsonObject, b: JsonObject): JsonObject {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key) && JSON.stringify(a[key]) !== JSON.stringify(b[key]));
  const unions = shared.map((key): [string, JsonObject] => [key, { anyOf: [...choicesOf(a[key]), ...choicesOf(b[key])] }]);
  return { ...a, ...b, ...Object.fromEntries(unions) };
}

function choicesOf(schema: unknown): readonly unknown[] {
  const keys = isJsonObject(schema) ? Object.keys(schema) : [];
  return keys.length === 1 && keys[0] === 'anyOf' ? asArray(asObject(schema)['anyOf']) : [schema];
}
