import { isJsonObject, type JsonObject } from '../../core/json-value.ts';
import { asArray, asObject } from '../json-fields.ts';
import { resolveReference, SchemaProblem } from './shape.ts';

const MAX_NESTING = 8;

/**
 * A schema with its `allOf` merged into it: properties and what is required of all members, of other keywords the nearest.
 * One reference alone, as pydantic writes it, stays a reference. Errors: throws a SchemaProblem where it leads back to itself.
 */
export function mergeAllOf(schema: JsonObject, root: JsonObject, depth = 0): JsonObject {
  if (depth > MAX_NESTING) throw new SchemaProblem('an allOf in it leads back to itself');
  const { allOf, ...own } = schema;
  const members = asArray(allOf).filter(isJsonObject);
  if (members.length === 0) return own;
  const isOneReference = members.length === 1 && own['properties'] === undefined;
  const all = [...members.map((member) => mergeAllOf(isOneReference ? member : writtenOut(member, root), root, depth + 1)), own];
  const properties = Object.fromEntries(all.flatMap((member) => Object.entries(asObject(member['properties']))));
  const required = [...new Set(all.flatMap((member) => asArray(member['required'])))];
  return {
    ...all.reduce((merged, member) => ({ ...merged, ...member })),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function writtenOut({ $ref: reference, ...beside }: JsonObject, root: JsonObject): JsonObject {
  return reference === undefined ? beside : { ...resolveReference(reference, root), ...beside };
}
