import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { readSession } from '../../src/sessions/read-session.ts';
import { anthropicAt, createScratch, runWield, type Scratch } from '../e2e/run-wield.ts';
import { type AnthropicServer, startAnthropicServer, type WireReply } from '../loopback/anthropic-server.ts';

const FREE = ['--permission-mode', 'bypassPermissions', '--sandbox', 'danger-full-access'];

/** Kills a session of so many calls, in each round at another moment, goes on with it, and looks at what was kept. Gives how many calls were open. */
export async function expectSessionsSurvive(rounds: number, calls: number): Promise<{ readonly unknownOutcomes: number }> {
  let unknownOutcomes = 0;
  for (let round = 0; round < rounds; round++) {
    const scratch = createScratch();
    const server = await startAnthropicServer(Array.from({ length: calls }, (_, i) => callNumber(i, scratch)));
    try {
      await runUntilKilled(scratch, server, {
        requests: 1 + Math.floor(((round + 0.5) * (calls - 1)) / rounds),
        thenMs: (round * 7) % 23,
      });
      unknownOutcomes += await expectWhole(scratch, server);
    } finally {
      await server.close();
      scratch.remove();
    }
  }
  return { unknownOutcomes };
}

/** Each has an effect that shows whether it ran, and whether it ran twice. */
function callNumber(i: number, scratch: Scratch): WireReply {
  if (i % 4 === 3) return { calls: [{ name: 'ReadFile', input: { path: scratch.path('out-0.txt') } }] };
  if (i % 4 === 2) return { calls: [{ name: 'Bash', input: { command: `echo ${i} >> ran.txt` } }] };
  return { calls: [{ name: 'WriteFile', input: { path: scratch.path(`out-${i}.txt`), content: `${i}\u2028 once\n` } }] };
}

async function runUntilKilled(
  scratch: Scratch,
  server: AnthropicServer,
  { requests, thenMs }: { readonly requests: number; readonly thenMs: number },
): Promise<void> {
  await runWield(scratch, ['-p', 'do them all', '--session-id', 'killed', '--max-turns', '300', ...FREE], {
    env: anthropicAt(server.url),
    onStart: (child) => {
      void (async () => {
        while (server.requests.length < requests) await sleep(1);
        await sleep(thenMs);
        child.kill('SIGKILL');
      })();
    },
  });
}

async function expectWhole(scratch: Scratch, server: AnthropicServer): Promise<number> {
  const path = sessionPath(scratch);
  const lines = readFileSync(path, 'utf8').split('\n');
  // All but what was being written is whole.
  for (const line of lines.slice(0, -1)) expect(() => void JSON.parse(line)).not.toThrow();
  const before = await readSession(path);
  const started = new Set(lines.filter((line) => line.startsWith('{"type":"effect_started"')).map((line) => callOf(line)));
  // Nothing had an effect that the log does not know of.
  for (const id of idsWithEffect(scratch, before)) expect(started).toContain(id);
  // A call that was answered in a request is in the log with all that came before it.
  expect(before.messages.length).toBeGreaterThanOrEqual(1 + 2 * (server.requests.length - 2));

  const ranBefore = ran(scratch);
  const next = await startAnthropicServer([{ text: 'went on' }]);
  try {
    const resumed = await runWield(scratch, ['-p', 'go on', '--resume', 'killed', ...FREE], { env: anthropicAt(next.url) });
    expect(resumed).toMatchObject({ code: 0, stdout: 'went on\n' });
    // The server refuses a request in which a call has no answer, or two.
    expect(next.faults).toEqual([]);
    expect(ran(scratch)).toEqual(ranBefore);
    const sent = JSON.stringify(next.requests[0]?.messages);
    const isUnknown = JSON.stringify(before.lostAnswers).includes('Unknown outcome');
    expect(sent.includes('Unknown outcome')).toBe(isUnknown);
    const after = await readSession(path);
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(after.lostAnswers).toBeNull();
    return isUnknown ? 1 : 0;
  } finally {
    await next.close();
  }
}

function sessionPath(scratch: Scratch): string {
  const root = join(scratch.home, '.local/state/wield/sessions');
  const [name = ''] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('killed.jsonl'));
  return join(root, name);
}

function callOf(line: string): unknown {
  return (JSON.parse(line) as { readonly toolUseId?: unknown }).toolUseId;
}

/** The calls whose effect can be seen in the project. */
function idsWithEffect(scratch: Scratch, { messages }: Awaited<ReturnType<typeof readSession>>): string[] {
  const commands = new Set(ran(scratch));
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((block) => {
          if (block.type !== 'tool_use') return [];
          const { path, command } = block.input as { readonly path?: string; readonly command?: string };
          const number = /\d+/.exec(command ?? '')?.[0];
          const isDone = block.name === 'WriteFile' ? existsSync(path ?? '') : commands.has(number ?? '');
          return isDone ? [block.id] : [];
        })
      : [],
  );
}

/** The numbers that commands wrote, each of which ran once. */
function ran(scratch: Scratch): readonly string[] {
  if (!existsSync(scratch.path('ran.txt'))) return [];
  const numbers = readFileSync(scratch.path('ran.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  expect(new Set(numbers).size).toBe(numbers.length);
  return numbers;
}
