import { isJsonObject } from './json-value.ts';
import type { JsonSchema } from './json-schema.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type Outcome<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/**
 * A schema of any library that validates and can also say itself as JSON Schema (Zod 4, Valibot, ArkType).
 * Source: standardschema.dev, Standard Schema and Standard JSON Schema, version 1, 2026-11.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Outcome<Output> | Promise<Outcome<Output>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Tells a library's schema from a literal JSON Schema. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  return '~standard' in schema;
}

/** The JSON Schema of a library's schema. Errors: throws what the library throws where it is not representable. */
export function jsonSchemaOf(schema: StandardSchema): JsonSchema {
  const { jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${schema['~standard'].vendor}'s schema does not carry JSON Schema; wrap it in its library's Standard JSON Schema adapter`,
    );
  }
  const { $schema: _dialect, ...rest } = jsonSchema.input({ target: 'draft-2020-12' });
  return rest;
}

/** Validates with the library itself, so that its transforms apply. */
export async function checkWithStandard<T>(
  schema: StandardSchema<T>,
  input: unknown,
): Promise<{ readonly input: T } | { readonly problem: string }> {
  const outcome = await schema['~standard'].validate(input);
  if (outcome.issues === undefined) return { input: outcome.value };
  return { problem: outcome.issues.map(sentenceOf).join(' ') };
}

function sentenceOf(issue: Issue): string {
  const path = (issue.path ?? []).map((part) => String(isJsonObject(part) ? part['key'] : part)).join('.');
  return path === '' ? `${issue.message}.` : `"${path}": ${issue.message}.`;
}
