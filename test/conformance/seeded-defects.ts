import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { TrialLimits } from '../../src/conformance/bench.ts';
import type { CheckId } from '../../src/conformance/finding.ts';
import { defineTool } from '../../src/core/define-tool.ts';
import type { JsonSchema } from '../../src/core/json-schema.ts';
import { fail, succeed } from '../../src/core/tool-result.ts';
import type { Tool } from '../../src/core/tool.ts';
import { COUNT, count, countWith } from './sound-tools.ts';

/** A tool that is sound but for one thing, and the only check that is to find something. */
export interface SeededDefect {
  readonly kind: string;
  readonly check: CheckId;
  readonly says: RegExp;
  readonly tool: Tool;
  readonly limits?: Partial<TrialLimits>;
}

function without(sentence: RegExp): Tool {
  return countWith({ description: COUNT.description.replace(sentence, '') });
}

/** The same tool with another schema, which its type does not know of. */
function withSchema(inputSchema: JsonSchema): Tool {
  return defineTool({ ...COUNT, inputSchema: { ...COUNT.inputSchema, ...inputSchema } } as typeof COUNT) as Tool;
}

const path = COUNT.inputSchema.properties.path;
/** The folder of a trial may be gone by then. */
function writeIfThere(file: string, text: string): void {
  if (existsSync(dirname(file))) writeFileSync(file, text);
}

let last = '';
let calls = 0;

export const SEEDED_DEFECTS: readonly SeededDefect[] = [
  {
    kind: 'does not say what it returns',
    check: 'description',
    says: /does not say what the tool returns/,
    tool: without(/Returns [^.]+\./),
  },
  { kind: 'does not say when to use it', check: 'description', says: /when to use/, tool: without(/Use it [^.]+\./) },
  { kind: 'does not say when not to use it', check: 'description', says: /when not to use/, tool: without(/For what [^.]+\./) },
  {
    kind: 'names no limit',
    check: 'description',
    says: /names no limit/,
    tool: countWith({ description: COUNT.description.replace(/ It reads [^.]+\./, '').replace(/; not for folders/, '') }),
  },
  {
    kind: 'begins with its own name',
    check: 'description',
    says: /begins with "Count lines\."/,
    tool: countWith({ description: `Count lines. ${COUNT.description.split('\n').slice(1).join('\n')}` }),
  },
  {
    kind: 'leaves a parameter undescribed',
    check: 'parameters',
    says: /parameter path is not described/,
    tool: withSchema({ properties: { ...COUNT.inputSchema.properties, path: { type: 'string' } } }),
  },
  {
    kind: 'describes a parameter by its name',
    check: 'parameters',
    says: /"The path", which says no more/,
    tool: withSchema({ properties: { ...COUNT.inputSchema.properties, path: { type: 'string', description: 'The path' } } }),
  },
  {
    kind: 'has a union at the top of its schema',
    check: 'portable',
    says: /anyOf at the top/,
    tool: withSchema({ anyOf: [{ required: ['path'] }, { required: ['unit'] }] }),
  },
  {
    kind: 'uses a word that Gemini is not told',
    check: 'portable',
    says: /not of path cannot be said in gemini/,
    tool: withSchema({ properties: { ...COUNT.inputSchema.properties, path: { ...path, not: { enum: ['/etc/shadow'] } } } }),
  },
  {
    kind: 'only reads and destroys',
    check: 'flags',
    says: /only reads and that it destroys/,
    tool: countWith({ isDestructive: true }),
  },
  {
    kind: 'runs beside others and writes',
    check: 'flags',
    says: /may run beside others/,
    tool: countWith({
      isReadOnly: false,
      footprint: ({ path: file }) => ({ extent: 'listed', reads: [], writes: [{ kind: 'file', path: file }] }),
    }),
  },
  {
    kind: 'has a relative path in its footprint',
    check: 'flags',
    says: /no absolute path/,
    tool: countWith({
      footprint: ({ path: file }) => ({ extent: 'listed', reads: [{ kind: 'file', path: file.slice(1) }], writes: [] }),
    }),
  },
  {
    kind: 'throws while it validates',
    check: 'pure',
    says: /validateInput throws/,
    tool: countWith({
      validateInput: ({ path: file, unit }) =>
        !file.startsWith('/') ? 'path must be absolute.' : unit === 'bytes' ? JSON.parse('{') : null,
    }),
  },
  {
    kind: 'validates otherwise each time',
    check: 'pure',
    says: /answers .* and then .* of the same input/,
    tool: countWith({
      validateInput: ({ path: file }) =>
        !file.startsWith('/') ? 'path must be absolute.' : ++calls % 2 === 0 ? 'Not now, try again.' : null,
    }),
  },
  {
    kind: 'writes while it validates',
    check: 'pure',
    says: /only checked/,
    tool: countWith({
      validateInput: ({ path: file }, { cwd }) => {
        if (!file.startsWith('/')) return 'path must be absolute.';
        appendFileSync(join(cwd, 'validated.txt'), 'x');
        return null;
      },
    }),
  },
  {
    kind: 'refuses what its schema admits',
    check: 'agreement',
    says: /schema admits .* own check refuses/,
    tool: Object.freeze({
      ...countWith({}),
      checkInput: async (input: unknown) =>
        (input as { unit?: string }).unit === 'bytes' ? { problem: 'no bytes' } : countWith({}).checkInput(input),
    }),
  },
  {
    kind: 'takes what its schema forbids',
    check: 'agreement',
    says: /lets it pass/,
    tool: Object.freeze({
      ...countWith({}),
      checkInput: async (input: unknown) => ({ input: { path: '/x', ...(input as object) } }),
    }),
  },
  {
    kind: 'offers a choice that it never takes',
    check: 'choices',
    says: /offers "bytes" for unit, and it is never taken/,
    tool: countWith({
      validateInput: ({ path: file, unit }) =>
        !file.startsWith('/') ? 'path must be absolute.' : unit === 'bytes' ? 'Only lines are counted.' : null,
    }),
  },
  {
    kind: 'throws',
    check: 'runs',
    says: /makes it throw/,
    tool: countWith({
      execute: async ({ files }, input) => succeed(`${(await files.read(input.path)).length} ${input.unit ?? 'lines'}`),
    }),
  },
  {
    kind: 'never answers',
    check: 'runs',
    says: /was not answered/,
    tool: countWith({
      execute: async ({ signal }) => {
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
        return succeed('never');
      },
    }),
    limits: { deadlineMs: 300 },
  },
  {
    kind: 'answers with nothing',
    check: 'answer',
    says: /is empty/,
    tool: countWith({
      execute: async (context, input) => {
        const result = await count(context, input);
        return result.isError ? result : succeed(' \n', result.metadata);
      },
    }),
  },
  {
    kind: 'passes a failure off as a success',
    check: 'answer',
    says: /not marked as one/,
    tool: countWith({
      execute: async (context, input) => {
        const result = await count(context, input);
        return result.isError ? succeed(`Error: ENOENT: no such file, open ${input.path}`) : result;
      },
    }),
  },
  {
    kind: 'returns something that is no result',
    check: 'answer',
    says: /has no list of content/,
    tool: countWith({ execute: async () => ({ text: '3 lines' }) as never }),
  },
  {
    kind: 'puts metadata into its answer',
    check: 'metadata',
    says: /carries metadata: path, durationMs/,
    tool: countWith({
      execute: async (context, input) => {
        const result = await count(context, input);
        return result.isError
          ? result
          : // A duration that varies would be a second defect: answers side by side would differ.
            succeed(`3 lines\n${JSON.stringify({ ...result.metadata, durationMs: 7 })}`, { ...result.metadata, durationMs: 7 });
      },
    }),
  },
  {
    kind: 'answers without bound',
    check: 'bounded',
    says: /has \d+ characters/,
    tool: countWith({
      execute: async (context, { path: file }) =>
        context.files.read(file).then(
          (bytes) => succeed(`text: ${new TextDecoder().decode(bytes)}`),
          () => fail(`${file} cannot be read as a file. See with Glob what there is.`),
        ),
    }),
  },
  {
    kind: 'says nothing in its errors',
    check: 'errors',
    says: /says no more than "ENOENT"/,
    tool: countWith({
      execute: async (context, input) => {
        const result = await count(context, input);
        return result.isError ? fail('ENOENT') : result;
      },
    }),
  },
  {
    kind: 'answers with a stack trace',
    check: 'errors',
    says: /stack trace/,
    tool: countWith({
      execute: async (context, input) => {
        const result = await count(context, input);
        return result.isError ? fail(new Error('cannot be read').stack ?? '') : result;
      },
    }),
  },
  {
    kind: 'writes though it only reads',
    check: 'read-only',
    says: /only reads, and .* changed .*cache\.json/,
    tool: countWith({
      footprint: ({ path: file }, { cwd }) => ({
        extent: 'listed',
        reads: [
          { kind: 'file', path: file },
          { kind: 'file', path: cwd },
        ],
        writes: [],
      }),
      execute: async (context, input) => {
        writeFileSync(join(context.cwd, 'cache.json'), input.path);
        return count(context, input);
      },
    }),
  },
  {
    kind: 'writes outside of its footprint',
    check: 'footprint',
    says: /changed .*other\.txt, which its footprint does not hold/,
    tool: countWith({
      isReadOnly: false,
      isConcurrencySafe: false,
      footprint: ({ path: file }, { cwd }) => ({
        extent: 'listed',
        reads: [{ kind: 'file', path: file }],
        writes: [{ kind: 'file', path: join(cwd, 'counted.txt') }],
      }),
      execute: async (context, input) => {
        writeFileSync(join(context.cwd, 'other.txt'), input.path);
        return count(context, input);
      },
    }),
  },
  {
    kind: 'shares a variable between calls',
    check: 'concurrency',
    says: /answers otherwise there/,
    tool: countWith({
      execute: async (context, input) => {
        last = input.path;
        await delay(100);
        const result = await count(context, { ...input, path: last });
        return result.isError
          ? fail(`${last} cannot be read as a file. See with Glob.`)
          : succeed(`${last}: ${input.unit ?? 'lines'}`);
      },
    }),
  },
  {
    kind: 'does not stop',
    check: 'abort',
    says: /told to stop and went on/,
    tool: countWith({
      execute: async (context, input) => {
        await delay(400);
        return count(context, input);
      },
      isConcurrencySafe: false,
    }),
    limits: { stopMs: 100, trialRuns: 0 },
  },
  {
    kind: 'goes on after its answer',
    check: 'afterwards',
    says: /after it had answered/,
    tool: countWith({
      isReadOnly: false,
      isConcurrencySafe: false,
      footprint: ({ path: file }, { cwd }) => ({
        extent: 'listed',
        reads: [{ kind: 'file', path: file }],
        writes: [{ kind: 'file', path: join(cwd, 'late.txt') }],
      }),
      execute: async (context, input) => {
        setTimeout(() => writeIfThere(join(context.cwd, 'late.txt'), input.path), 30).unref();
        return count(context, input);
      },
    }),
  },
];

/** A library's schema that says less than its check demands. */
export const REFINED = defineTool({
  name: COUNT.name,
  description: COUNT.description,
  inputSchema: z.object({
    path: z
      .string()
      .describe('Absolute path of a text file.')
      .refine((value) => !value.includes('e'), 'must not hold an e'),
  }),
  isReadOnly: true,
  isDestructive: false,
  execute: async () => succeed('3 lines'),
}) as Tool;
