import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../src/core/define-tool.ts';
import type { FromSchema } from '../../src/core/json-schema.ts';
import { fail, succeed } from '../../src/core/tool-result.ts';
import type { Tool } from '../../src/core/tool.ts';

const COUNT_INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path of a text file.' },
    unit: { type: 'string', enum: ['lines', 'bytes'], description: 'What to count. Default lines.' },
  },
  required: ['path'],
  additionalProperties: false,
} as const;

type CountDefinition = ToolDefinition<typeof COUNT_INPUT, unknown>;

/** A tool that does what it says; defects are put into it one at a time. */
export const COUNT: CountDefinition = {
  name: 'CountLines',
  description: `Counts the lines or the bytes of one text file.
Use it to learn how long a file is before you read it. For what it contains use ReadFile; not for folders.
Returns one line: the number and the unit. It reads at most 10 MB.`,
  inputSchema: COUNT_INPUT,
  category: 'file',
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  validateInput: ({ path }) => (path.startsWith('/') ? null : 'path must be absolute.'),
  footprint: ({ path }) => ({ extent: 'listed', reads: [{ kind: 'file', path }], writes: [] }),
  subject: ({ path }) => path,
  execute: count,
};

export async function count(
  { files }: Parameters<CountDefinition['execute']>[0],
  { path, unit = 'lines' }: FromSchema<typeof COUNT_INPUT>,
) {
  const startedAt = Date.now();
  try {
    const bytes = await files.read(path);
    const text = new TextDecoder().decode(bytes);
    const amount = unit === 'bytes' ? bytes.length : text.split('\n').length;
    return succeed(`${amount} ${unit}`, { path, durationMs: Date.now() - startedAt });
  } catch {
    return fail(`${path} cannot be read as a file. See with Glob what files there are.`, { path });
  }
}

export function countWith(defect: Partial<CountDefinition>): Tool {
  return defineTool({ ...COUNT, ...defect }) as Tool;
}

/** Its schema comes from a library, with a default, a union, and keys that are left out of what it takes. */
const convert = defineTool({
  name: 'ConvertUnit',
  description: `Converts a length from one unit to another.
Use it for lengths in a text or in code; for anything else than lengths calculate with Bash instead.
Returns the converted number with its unit, rounded to at most 6 digits.`,
  inputSchema: z.object({
    amount: z.number().min(0).max(1_000_000).describe('How much, in the unit that from names.'),
    from: z.enum(['m', 'ft']).describe('The unit of amount.'),
    digits: z.int().min(0).max(6).default(2).describe('Digits after the point. Default 2.'),
    label: z.union([z.string(), z.null()]).describe('A word to put before the answer, or null for none.'),
  }),
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  execute: async (_context, { amount, from, digits, label }) =>
    succeed(
      `${label === null ? '' : `${label}: `}${(from === 'm' ? amount / 0.3048 : amount * 0.3048).toFixed(digits)} ${from === 'm' ? 'ft' : 'm'}`,
    ),
});

/** It writes, and says so. */
const note = defineTool({
  name: 'save_note',
  description: `Appends one line to the notes of the project.
Use it when the person asks to remember something; do not use it for code, which EditFile changes.
Returns the number of notes that are kept. A line has at most 500 characters.`,
  inputSchema: {
    type: 'object',
    properties: {
      line: { type: 'string', minLength: 1, maxLength: 500, description: 'What to remember, in one line.' },
      tags: {
        type: 'array',
        items: { type: 'string', description: 'A word to find it by.' },
        maxItems: 3,
        description: 'Words to find it by.',
      },
    },
    required: ['line'],
    additionalProperties: false,
  } as const,
  category: 'file',
  isDestructive: false,
  validateInput: ({ line }) => (line.includes('\n') ? 'line must be one line.' : null),
  footprint: (_input, { cwd }) => ({
    extent: 'listed',
    reads: [{ kind: 'file', path: `${cwd}/NOTES.txt` }],
    writes: [{ kind: 'file', path: `${cwd}/NOTES.txt` }],
  }),
  subject: ({ line }) => line,
  execute: async ({ files, cwd }, { line }) => {
    const path = `${cwd}/NOTES.txt`;
    const old = await files.read(path).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => '',
    );
    const text = `${old}${line}\n`;
    await files.replace(path, new TextEncoder().encode(text), 'any');
    return succeed(`${text.split('\n').length - 1} notes are kept.`, { line });
  },
});

/** It takes its time, and stops when it is told to. */
const wait = defineTool({
  name: 'WaitFor',
  description: `等待片刻后返回，用于让后台任务有时间完成。
不要用于等待文件变化，请改用 Bash。
返回等待的毫秒数。最多等待 120 毫秒。`,
  inputSchema: {
    type: 'object',
    properties: { ms: { type: 'integer', minimum: 60, maximum: 120, description: '等待多少毫秒。' } },
    required: ['ms'],
    additionalProperties: false,
  } as const,
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  execute: async ({ signal }, { ms }) => {
    await delay(ms, undefined, { signal });
    return succeed(`等待了 ${ms} 毫秒`);
  },
});

/** What depends on the time of day cannot be compared, and is no fault. */
const clock = defineTool({
  name: 'ReadClock',
  description: `Tells the time of this machine.
Use it when a task depends on the time of day. For the date of a commit use Bash (git log) instead.
Returns the time with nanoseconds, in UTC. It takes no input and never asks a network.`,
  inputSchema: { type: 'object', properties: {}, additionalProperties: false } as const,
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  execute: async () => succeed(`${new Date().toISOString()} ${process.hrtime.bigint()}`),
});

export const SOUND_TOOLS = [defineTool(COUNT), convert, note, wait, clock] as readonly unknown[] as readonly Tool[];
