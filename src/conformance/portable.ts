import type { Dialect } from '../core/registry.ts';
import type { Tool } from '../core/tool.ts';
import { isJsonObject } from '../core/json-value.ts';
import { offerTools } from '../providers/tool-formats.ts';
import { type Finding, found, type Verdict } from './finding.ts';
import lost from './lost-keywords.json' with { type: 'json' };
import { schemasBelow } from './schema-places.ts';

/** The dialects in which a model is told of tools. */
export const MODEL_DIALECTS = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const satisfies readonly Dialect[];

/** Finds what a dialect cannot be told: the whole tool, or a word of the schema, which is then no longer there when a model decides. */
export function checkPortable(tool: Tool): Verdict {
  return found(...unusable(tool), ...lostAtTop(tool), ...lostBelow(tool));
}

function unusable(tool: Tool): Finding[] {
  const problems = new Map<string, Dialect[]>();
  for (const dialect of MODEL_DIALECTS)
    for (const { problem } of offerTools([tool], dialect).unusable)
      problems.set(problem, [...(problems.get(problem) ?? []), dialect]);
  return [...problems].map(([problem, dialects]) => ({
    what: `It cannot be offered at all in ${dialects.join(', ')}: ${problem}.`,
    remedy: 'Change the schema; a server would refuse every request that carries it.',
  }));
}

function lostAtTop({ inputSchema }: Tool): Finding[] {
  const words = lost.top.filter((word) => inputSchema[word] !== undefined);
  if (words.length === 0) return [];
  return [
    {
      what: `${words.join(', ')} at the top of the schema is left out in every dialect, which takes one plain object there.`,
      remedy:
        'Move the alternatives into a property, make several tools of it, or say in the description which keys go together.',
    },
  ];
}

function lostBelow({ inputSchema }: Tool): Finding[] {
  const places = [{ path: '', schema: inputSchema }, ...schemasBelow(inputSchema)];
  const dialectsOf = new Map<string, string[]>();
  for (const { path, schema } of places)
    for (const [dialect, words] of Object.entries(lost.anywhere))
      for (const word of lostWords(schema, words)) {
        if (path === '' && lost.top.includes(word)) continue;
        const where = `${word}${path === '' ? '' : ` of ${path}`}`;
        dialectsOf.set(where, [...(dialectsOf.get(where) ?? []), dialect]);
      }
  return [...dialectsOf].map(([where, dialects]) => ({
    what: `${where} cannot be said in ${dialects.join(', ')}, so a model there does not know of it.`,
    remedy: 'Use a form without that word; where there is none, say it in the description and let validateInput check it.',
  }));
}

function lostWords(schema: Readonly<Record<string, unknown>>, words: readonly string[]): readonly string[] {
  const present = words.filter((word) => schema[word] !== undefined && schema[word] !== false);
  // A map from any key to a schema: Gemini is told of named properties alone.
  const isMap = isJsonObject(schema['additionalProperties']) && Object.keys(schema['additionalProperties']).length > 0;
  return isMap && words.includes('patternProperties') ? [...present, 'additionalProperties'] : present;
}
