import type { OutputUnit, Schema } from '@cfworker/json-schema';
import { isJsonObject } from './json-value.ts';
import type { JsonSchema } from './json-schema.ts';
import { fitsPlainly } from './plain-fit.ts';

/** Checks an input against a schema and says, for the model, what to change; null where it fits. The checker is loaded where an input is not plainly right. */
export async function checkInput(schema: JsonSchema, input: unknown): Promise<string | null> {
  if (fitsPlainly(schema, input)) return null;
  const { Validator } = await import('@cfworker/json-schema');
  const errors = findErrors(() => new Validator(schema as Schema, '2020-12', false).validate(input));
  if (errors === 'bad key')
    return 'A key of the input holds half of a character (a lone surrogate), which no key can. Send whole characters.';
  if (errors === null) return null;
  const faults = errors.map((error) => sentenceOf(schema, input, error)).filter((sentence) => sentence !== null);
  return [...new Set(faults)].join(' ') || errors.map(({ error }) => error).join(' ');
}

function findErrors(validate: () => { valid: boolean; errors: OutputUnit[] }): OutputUnit[] | 'bad key' | null {
  try {
    const { valid, errors } = validate();
    return valid ? null : errors;
  } catch (thrown) {
    // The checker writes each key into a URI. Source: @cfworker/json-schema 4.1.1, pointer.js
    if (thrown instanceof URIError) return 'bad key';
    throw thrown;
  }
}

// These only say that something below them is wrong, and what it is has an error of its own.
const WRAPPERS = new Set(['properties', 'patternProperties', 'items', 'prefixItems', 'allOf', '$ref', 'if', 'false']);

function sentenceOf(root: JsonSchema, input: unknown, fault: OutputUnit): string | null {
  if (WRAPPERS.has(fault.keyword)) return null;
  const keys = pointerKeys(fault.instanceLocation);
  const value = valueAt(input, keys);
  const schema = schemaAt(root, pointerKeys(fault.keywordLocation).slice(0, -1));
  const name = keys.length === 0 ? 'The input' : `"${keys.join('.')}"`;
  switch (fault.keyword) {
    case 'type':
      return `${name} must be ${kindsWanted(schema)}; it is ${kindOf(value)}.`;
    case 'required':
      return missingKeys(schema, value)
        .map((key) => `"${[...keys, key].join('.')}" is missing${describe(schema?.properties?.[key])}.`)
        .join(' ');
    case 'additionalProperties':
      return schema?.additionalProperties === false ? unknownKeys(schema, value, keys) : null;
    case 'enum':
      return `${name} must be one of ${(schema?.enum ?? []).map((item) => JSON.stringify(item)).join(', ')}; it is ${JSON.stringify(value)}.`;
    case 'anyOf':
      return `${name} fits none of the forms it may have.`;
    case 'oneOf':
      return `${name} must fit exactly one of the forms it may have.`;
    default:
      return `${name}: ${fault.error}`;
  }
}

function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[key], value);
}

/** The schema at a place that the checker walked to, references followed. */
function schemaAt(root: JsonSchema, keys: readonly string[]): JsonSchema | undefined {
  let at: unknown = root;
  for (const key of keys) {
    at = valueAt(at, [key]);
    if (key === '$ref' && typeof at === 'string') at = valueAt(root, pointerKeys(at));
  }
  return at as JsonSchema | undefined;
}

function missingKeys(schema: JsonSchema | undefined, value: unknown): string[] {
  if (!isJsonObject(value)) return [];
  return (schema?.required ?? []).filter((key) => !Object.hasOwn(value, key));
}

function unknownKeys(schema: JsonSchema, value: unknown, place: readonly string[]): string {
  const known = Object.keys(schema.properties ?? {});
  const extra = isJsonObject(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  const names = extra.map((key) => `"${[...place, key].join('.')}"`).join(', ');
  const offer = known.length === 0 ? 'This tool takes no input.' : `Known keys: ${known.map((key) => `"${key}"`).join(', ')}.`;
  return `Unknown key${extra.length === 1 ? '' : 's'} ${names}. ${offer}`;
}

function describe(schema: JsonSchema | undefined): string {
  return schema?.description === undefined ? '' : ` (${schema.description.replace(/\.$/, '')})`;
}

function kindsWanted(schema: JsonSchema | undefined): string {
  const kinds = [schema?.type ?? 'value of another kind'].flat();
  return kinds.map((kind) => (kind === 'null' ? kind : articleFor(kind))).join(' or ');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : articleFor(typeof value);
}

function articleFor(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
