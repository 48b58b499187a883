import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject } from '../json-fields.ts';
import { geminiSchema } from './gemini-schema.ts';
import { mergeAllOf } from './all-of.ts';
import { flattenTop } from './top.ts';
import { type Reshaped, reshape, resolveReference, SCHEMA_TYPES, SchemaProblem } from './shape.ts';

/** Whose rules a schema is to meet. */
export type SchemaTarget = 'anthropic' | 'openai' | 'gemini';

/**
 * A tool's input schema as a target takes it. It may admit more than the original, never less: the tool checks its input itself.
 * A problem means that this one tool has to be left out, since a server would refuse every request that has it.
 */
export function portableSchema(schema: JsonObject, target: SchemaTarget): Reshaped {
  const repaired = reshape(() => {
    const root = flattenTop(schema);
    return repair(root, { target, root, depth: 0 });
  });
  if ('problem' in repaired) return repaired;
  if (target === 'gemini') return geminiSchema(repaired.schema);
  const badKey = target === 'anthropic' ? badKeyOf(repaired.schema) : undefined;
  return badKey === undefined ? repaired : { problem: `the property "${badKey}" has a name that Anthropic refuses` };
}

const MAX_DEPTH = 60;

interface Place {
  readonly target: SchemaTarget;
  readonly root: JsonObject;
  readonly depth: number;
}

/** What every target wants below the top: arrays with items, objects with properties, types that exist, words of draft 2020-12. */
function repair(given: JsonObject, place: Place): JsonObject {
  const { target, root, depth } = place;
  // OpenAI refuses allOf at any depth. Source: makenotion/notion-mcp-server#102
  const schema = target === 'anthropic' ? given : mergeAllOf(given, root);
  if (depth > MAX_DEPTH) throw new SchemaProblem(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (schema['$ref'] !== undefined) resolveReference(schema['$ref'], root);
  const inside = (value: unknown): JsonObject => repair(asObject(value), { ...place, depth: depth + 1 });
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (SCHEMA_MAPS.has(key)) return [[key, mapValues(asObject(value), inside)]];
    if (SCHEMA_LISTS.has(key)) return [[key, asArray(value).map(inside)]];
    if (SCHEMA_KEYS.has(key) && isJsonObject(value)) return [[key, inside(value)]];
    return isSound(key, value) ? [[key, value]] : [];
  });
  return complete({ ...Object.fromEntries(entries), ...tupleOf(schema, target, inside) });
}

const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMA_KEYS = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']);

/** Words of older drafts make the whole schema invalid under 2020-12. Source: "It must match JSON Schema draft 2020-12", Anthropic */
function isSound(key: string, value: unknown): boolean {
  switch (key) {
    case '$schema':
      return false;
    case 'type':
      return (Array.isArray(value) ? value : [value]).every((type) => SCHEMA_TYPES.has(type));
    case 'required':
    case 'enum':
      return Array.isArray(value) && (key === 'required' || value.length > 0);
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value === 'number';
    case 'items':
      // Objects and lists of them were taken before: a boolean says nothing.
      return false;
    default:
      return true;
  }
}

/** `items: [a, b]` of older drafts; only Anthropic is known to read its successor. */
function tupleOf(schema: JsonObject, target: SchemaTarget, inside: (value: unknown) => JsonObject): JsonObject {
  const members = [...asArray(schema['items']), ...asArray(schema['prefixItems'])].map(inside);
  if (members.length === 0) return {};
  if (target === 'anthropic') return { prefixItems: members };
  return { items: members.length === 1 ? members[0] : { anyOf: members }, prefixItems: undefined };
}

/** OpenAI refuses arrays without items and drops objects without properties. Source: pydantic-ai, OpenAI's profile; google-gemini/gemini-cli#13326 */
function complete(schema: JsonObject): JsonObject {
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  const items =
    types.includes('array') && schema['items'] === undefined && schema['prefixItems'] === undefined ? { items: {} } : {};
  const isBareObject = types.includes('object') && schema['properties'] === undefined;
  const whole = { ...schema, ...items, ...(isBareObject ? { properties: {} } : {}) };
  return withoutUndefined(whole);
}

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function mapValues(object: JsonObject, map: (value: unknown) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

// "Property keys should match pattern". Source: Anthropic's own words
const ANTHROPIC_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

function badKeyOf(schema: JsonObject): string | undefined {
  const properties = asObject(schema['properties']);
  return Object.keys(properties).find((key) => !ANTHROPIC_KEY.test(key));
}
