import { isJsonObject } from './json-value.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * True where a value certainly fits a schema. False says nothing: then the whole checker is asked, which is a large module, and also
 * knows what is wrong. Most tools use no more of JSON Schema than this, and most calls fit.
 */
export function fitsPlainly(schema: JsonSchema | boolean, value: unknown): boolean {
  if (typeof schema !== 'object') return schema;
  return Object.entries(schema).every(([keyword, wanted]) => CHECKS.get(keyword)?.(wanted, value, schema) ?? false);
}

type Check = (wanted: unknown, value: unknown, schema: JsonSchema) => boolean;

const always: Check = () => true;
// A keyword that is not among these is left to the checker.
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['description', always],
  ['default', always],
  ['type', (wanted, value) => typeof wanted === 'string' && isOfType(wanted, value)],
  ['enum', (wanted, value) => typeof value === 'string' && Array.isArray(wanted) && wanted.includes(value)],
  ['minimum', (wanted, value) => typeof value !== 'number' || (typeof wanted === 'number' && value >= wanted)],
  ['maximum', (wanted, value) => typeof value !== 'number' || (typeof wanted === 'number' && value <= wanted)],
  ['items', (wanted, value) => !Array.isArray(value) || value.every((item) => fitsPlainly(wanted as JsonSchema, item))],
  [
    'required',
    (wanted, value) => !isJsonObject(value) || (wanted as readonly string[]).every((key) => Object.hasOwn(value, key)),
  ],
  [
    'properties',
    (_, value, schema) => !isJsonObject(value) || Object.keys(value).every((key) => fitsProperty(schema, key, value[key])),
  ],
  // Whatever is not among the properties is left to the checker.
  ['additionalProperties', (_, __, schema) => schema.properties !== undefined],
]);

function fitsProperty({ properties }: JsonSchema, key: string, value: unknown): boolean {
  const property = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return property !== undefined && fitsPlainly(property, value);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'object') return isJsonObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return (type === 'string' || type === 'boolean' || type === 'number') && typeof value === type;
}
