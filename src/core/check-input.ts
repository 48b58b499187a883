import type { Schema } from '@cfworker/json-schema';
import { isJsonObject } from './json-value.ts';
import type { JsonSchema } from './json-schema.ts';

/** Checks an input against a schema and says, for the model, what to change; null where it fits. The checker is loaded at its first use. */
export async function checkInput(schema: JsonSchema, input: unknown): Promise<string | null> {
  const { Validator } = await import('@cfworker/json-schema');
  const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(input);
  if (valid) return null;
  const faults = errors
    .filter((error) => error.keyword !== 'properties' && error.keyword !== 'items' && error.keyword !== 'false')
    .map((error) => sentenceOf(schema, input, error));
  return [...new Set(faults)].join(' ');
}

interface Fault {
  readonly keyword: string;
  readonly instanceLocation: string;
  readonly error: string;
}

function sentenceOf(root: JsonSchema, input: unknown, fault: Fault): string {
  const keys = fault.instanceLocation.split('/').slice(1).map(unescapePointer);
  const { schema, value } = descend(root, input, keys);
  const name = keys.length === 0 ? 'The input' : `"${keys.join('.')}"`;
  switch (fault.keyword) {
    case 'type':
      return `${name} must be ${articleFor(String(schema?.type))}; it is ${kindOf(value)}.`;
    case 'required':
      return missingKeys(schema, value)
        .map((key) => `"${key}" is missing${describe(schema?.properties?.[key])}.`)
        .join(' ');
    case 'additionalProperties':
      return unknownKeys(schema, value);
    case 'enum':
      return `${name} must be one of ${(schema?.enum ?? []).map((item) => JSON.stringify(item)).join(', ')}; it is ${JSON.stringify(value)}.`;
    default:
      return `${name}: ${fault.error}`;
  }
}

function descend(root: JsonSchema, input: unknown, keys: readonly string[]): { schema: JsonSchema | undefined; value: unknown } {
  let schema: JsonSchema | undefined = root;
  let value = input;
  for (const key of keys) {
    const items: JsonSchema | undefined = typeof schema?.items === 'object' ? schema.items : undefined;
    schema = Array.isArray(value) ? items : schema?.properties?.[key];
    value = (value as Record<string, unknown> | null)?.[key];
  }
  return { schema, value };
}

function missingKeys(schema: JsonSchema | undefined, value: unknown): string[] {
  if (!isJsonObject(value)) return [];
  return (schema?.required ?? []).filter((key) => value[key] === undefined);
}

function unknownKeys(schema: JsonSchema | undefined, value: unknown): string {
  const known = Object.keys(schema?.properties ?? {});
  const extra = isJsonObject(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  const names = extra.map((key) => `"${key}"`).join(', ');
  const offer = known.length === 0 ? 'This tool takes no input.' : `Known keys: ${known.map((key) => `"${key}"`).join(', ')}.`;
  return `Unknown key${extra.length === 1 ? '' : 's'} ${names}. ${offer}`;
}

function describe(schema: JsonSchema | undefined): string {
  return schema?.description === undefined ? '' : ` (${schema.description.replace(/\.$/, '')})`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return articleFor(typeof value);
}

function articleFor(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function unescapePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}
