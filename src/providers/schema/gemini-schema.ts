import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject, stringOr } from '../json-fields.ts';
import { mergeAllOf } from './all-of.ts';
import { type Reshaped, reshape, resolveReference, SchemaProblem } from './shape.ts';

const MAX_REFERENCES = 3;
const MAX_NODES = 5000;

/**
 * An object schema in the words that every Gemini model takes: no references, no const, oneOf or allOf, string enums only.
 * What it cannot say in keywords stands in the description. Source: ai.google.dev/api/caching#Schema, 2026-08; anomalyco/opencode#12295
 */
export function geminiSchema(schema: JsonObject): Reshaped {
  return reshape(() => lower(schema, { root: schema, nodes: 0 }, []));
}

interface Walk {
  readonly root: JsonObject;
  nodes: number;
}

/** `inside` are the references that led here. */
function lower(given: JsonObject, walk: Walk, inside: readonly string[]): JsonObject {
  // References that fan out grow beyond any request.
  if (++walk.nodes > MAX_NODES)
    throw new SchemaProblem(`it has more than ${MAX_NODES} parts once its references are written out`);
  const schema = mergeAllOf(given, walk.root);
  if (schema['$ref'] !== undefined) return lowerReference(schema, walk, inside);
  const union = [...asArray(schema['anyOf']), ...asArray(schema['oneOf'])].filter(isJsonObject);
  // An object that says which of its keys go together loses only that. Any other union stands alone: Vertex takes nothing beside anyOf.
  if (union.length > 0 && schema['properties'] === undefined) return lowerUnion(schema, union, { walk, inside });
  if (Array.isArray(schema['type'])) return lowerTypes(schema, { walk, inside });
  return lowerPlain(schema, { walk, inside });
}

interface Position {
  readonly walk: Walk;
  readonly inside: readonly string[];
}

/** Written out; a schema that leads back to itself ends as any object after a few rounds. */
function lowerReference(given: JsonObject, walk: Walk, inside: readonly string[]): JsonObject {
  const { $ref: reference, ...beside } = given;
  const target = resolveReference(reference, walk.root);
  const rounds = inside.filter((known) => known === reference).length;
  if (rounds < MAX_REFERENCES) return lower({ ...target, ...beside }, walk, [...inside, String(reference)]);
  return described({ type: target['type'] === 'array' ? 'string' : 'object' }, [
    stringOr(target['description'], ''),
    'Nested in the same way.',
  ]);
}

function lowerUnion(schema: JsonObject, union: readonly JsonObject[], { walk, inside }: Position): JsonObject {
  const { anyOf: _anyOf, oneOf: _oneOf, description, ...beside } = schema;
  const type = typeof beside['type'] === 'string' ? { type: beside['type'] } : {};
  const anyOf = union.map((member) => lower({ ...type, ...member }, walk, inside));
  const one = anyOf.length === 1 ? anyOf[0] : { anyOf };
  return described(one ?? {}, [stringOr(description, '')]);
}

function lowerTypes(schema: JsonObject, { walk, inside }: Position): JsonObject {
  const { type, description, ...rest } = schema;
  const anyOf = asArray(type).map((one) =>
    one === 'null' ? { type: 'null' } : lower({ ...wordsFor(one, rest), type: one }, walk, inside),
  );
  const single = anyOf.length === 1 ? anyOf[0] : { anyOf };
  return described(single ?? {}, [stringOr(description, '')]);
}

/** A word about arrays says nothing about texts. */
function wordsFor(type: unknown, schema: JsonObject): JsonObject {
  const fitting = Object.entries(schema).filter(([key]) => {
    const owner = OWNERS.get(key);
    return owner === undefined || owner === type;
  });
  return Object.fromEntries(fitting);
}

const OWNERS: ReadonlyMap<string, string> = new Map([
  ...['items', 'minItems', 'maxItems'].map((key) => [key, 'array'] as const),
  ...['properties', 'required'].map((key) => [key, 'object'] as const),
  ...['pattern', 'format', 'minLength', 'maxLength'].map((key) => [key, 'string'] as const),
]);

const KEPT = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];
const FORMATS: ReadonlySet<unknown> = new Set(['enum', 'date-time', 'int32', 'int64', 'float', 'double']);

function lowerPlain(schema: JsonObject, position: Position): JsonObject {
  const choices = 'const' in schema ? [schema['const']] : asArray(schema['enum']);
  const type = typeOf(schema, choices);
  const kept = Object.fromEntries(KEPT.filter((key) => typeof schema[key] === typeOfWord(key)).map((key) => [key, schema[key]]));
  // An empty text among the choices is refused: "enum[0]: cannot be empty".
  const isText = type === 'string' && choices.every((choice) => typeof choice === 'string' && choice !== '');
  const texts = isText && choices.length > 0 ? { enum: choices } : {};
  const format = FORMATS.has(schema['format']) ? { format: schema['format'] } : {};
  const lowered = { ...(type === null ? {} : { type }), ...kept, ...texts, ...format, ...below(schema, type, position) };
  return described(lowered, [stringOr(schema['description'], ''), ...notes(schema, isText ? [] : choices)]);
}

function typeOfWord(key: string): string {
  return key === 'pattern' ? 'string' : 'number';
}

/** The type as told, or as the rest of the schema lets guess. */
function typeOf(schema: JsonObject, choices: readonly unknown[]): string | null {
  if (typeof schema['type'] === 'string') return schema['type'];
  if (schema['properties'] !== undefined) return 'object';
  if (schema['items'] !== undefined) return 'array';
  const [kind, ...others] = new Set(choices.map((choice) => (choice === null ? 'null' : typeof choice)));
  return kind !== undefined && others.length === 0 ? kind : null;
}

function below(schema: JsonObject, type: string | null, { walk, inside }: Position): JsonObject {
  // Gemini wants to know what is in an array: where nobody said, text.
  const items = asObject(schema['items']);
  if (type === 'array') return { items: Object.keys(items).length === 0 ? { type: 'string' } : lower(items, walk, inside) };
  if (type !== 'object') return {};
  const known = Object.entries(asObject(schema['properties'])).filter(([, value]) => value !== false);
  const properties = Object.fromEntries(known.map(([key, value]) => [key, lower(asObject(value), walk, inside)]));
  const required = asArray(schema['required']).filter((key) => typeof key === 'string' && Object.hasOwn(properties, key));
  return { properties, ...(required.length === 0 ? {} : { required }) };
}

/** What the keywords can no longer say. */
function notes(schema: JsonObject, choices: readonly unknown[]): string[] {
  const { exclusiveMinimum: above, exclusiveMaximum: under, format } = schema;
  return [
    ...(choices.length === 0 ? [] : [`One of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`]),
    ...(typeof above === 'number' ? [`Greater than ${above}.`] : []),
    ...(typeof under === 'number' ? [`Less than ${under}.`] : []),
    ...(typeof format === 'string' && !FORMATS.has(format) ? [`Format: ${format}.`] : []),
  ];
}

function described(schema: JsonObject, words: readonly string[]): JsonObject {
  const own = stringOr(schema['description'], '');
  const description = [...words, own].filter((text) => text !== '').join(' ');
  return description === '' ? schema : { ...schema, description };
}
