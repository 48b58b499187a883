import type { Tool } from '../core/tool.ts';
import { type Finding, found, type Verdict } from './finding.ts';
import { type SchemaPlace, schemasBelow } from './schema-places.ts';

const MIN_CHARS = 6;

/** Holds each thing that a model fills in by name to a description that says more than the name. */
export function checkParameters({ inputSchema }: Tool): Verdict {
  return found(
    ...schemasBelow(inputSchema)
      .filter(({ isProperty }) => isProperty)
      .map(findingOf),
  );
}

function findingOf({ path, schema }: SchemaPlace): Finding | null {
  const text = (schema.description ?? '').trim();
  // What is referred to, or is one of several forms, is described there.
  if (text === '' && (schema['$ref'] !== undefined || schema['anyOf'] !== undefined || schema['oneOf'] !== undefined))
    return [schema['anyOf'], schema['oneOf']].flat().some(isDescribed) ? null : undescribed(path);
  if (text === '') return undescribed(path);
  const name = path.split('.').at(-1) ?? path;
  const isThin = (text.length < MIN_CHARS && !/\p{Script=Han}/u.test(text)) || folded(text) === folded(name);
  return isThin
    ? {
        what: `The parameter ${path} is described as "${text}", which says no more than its name.`,
        remedy: 'Say what it is, its form, and what holds where it is left out.',
      }
    : null;
}

function undescribed(path: string): Finding {
  return {
    what: `The parameter ${path} is not described.`,
    remedy: 'Give it a description: what it is, its form, and what holds where it is left out.',
  };
}

function isDescribed(member: unknown): boolean {
  return typeof member === 'object' && member !== null && 'description' in member;
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/^(?:the|a|an) /g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
