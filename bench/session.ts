import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from '../src/agent/create-agent.ts';
import { composeTools } from '../src/app/compose-tools.ts';
import { DIRECT_STEPS } from '../src/app/direct-steps.ts';
import { type ModelEvent, NO_USAGE, type Provider, UNKNOWN_MODEL } from '../src/core/model.ts';
import { TodoList } from '../src/core/todo-list.ts';
import { readSession } from '../src/sessions/read-session.ts';
import { openSessionLog } from '../src/sessions/session-log.ts';

// What a long session costs in time of the processor: to open it, and a turn of it beside one at its beginning, in the same run. The model is
// scripted. Events are the records of the file.
const EVENTS = Number(process.argv[2] ?? 10_000);
const CONTEXT_TOKENS = 60_000;
const SAMPLE = 200;
const WARM_UP = 100;
const OPENINGS = 9;
const OPEN_TARGET_MS = 300;
const RATIO_TARGET = 1.25;

/** Of what happens, a file holds nothing of these. */
const LIVE_ONLY: ReadonlySet<string> = new Set(['model', 'turn_start', 'tool_start', 'notice']);

const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-session-')));
const root = join(base, 'project');
const path = join(base, 'sessions', 's.jsonl');
const folders = { home: base, config: join(base, 'config'), state: join(base, 'state') };

/** Reads one of some files in every turn, until the session is long enough. */
function readerUntil(isDone: () => boolean, askedAt: number[]): Provider {
  return {
    id: 'scripted',
    marksCallEnd: true,
    seesImages: false,
    async *stream(): AsyncGenerator<ModelEvent> {
      askedAt.push(cpuMs());
      const input = { path: join(root, `file-${askedAt.length % 20}.txt`) };
      yield { type: 'message_start', model: 'scripted' };
      yield { type: 'text_delta', index: 0, text: `Step ${askedAt.length}: I look at a file.` };
      yield { type: 'block_end', index: 0 };
      const stopReason = isDone() ? 'end_turn' : 'tool_use';
      if (stopReason === 'tool_use') {
        yield { type: 'tool_use_start', index: 1, wireId: null, name: 'ReadFile' };
        yield { type: 'tool_input_delta', index: 1, json: JSON.stringify(input) };
        yield { type: 'tool_use', index: 1, name: 'ReadFile', input };
        yield { type: 'block_end', index: 1 };
      }
      yield { type: 'message_end', state: 'complete', stopReason, rawStop: stopReason, usage: NO_USAGE };
    },
  };
}

async function makeSession(): Promise<readonly number[]> {
  const header = {
    type: 'session',
    version: 1,
    id: 's',
    cwd: root,
    model: 'scripted',
    createdAt: new Date().toISOString(),
  } as const;
  const log = openSessionLog(path, header);
  const todos = new TodoList();
  const workbench = composeTools({
    cwd: root,
    addDirs: [],
    mode: 'default',
    rules: [],
    toolNames: 'PascalCase',
    bashTimeoutMs: null,
    tracksSeen: true,
    folders,
    environment: process.env,
    sessionId: 's',
    todos,
    seesImages: false,
    memory: { seen: new Map(), jobs: [], note: log.note },
  });
  const askedAt: number[] = [];
  let events = 0;
  const agent = createAgent({
    provider: readerUntil(() => events >= EVENTS, askedAt),
    model: 'scripted',
    facts: { ...UNKNOWN_MODEL, contextTokens: CONTEXT_TOKENS },
    system: 'You are a bench.',
    registry: workbench.registry,
    log: {
      ...log,
      append: (event) => {
        if (!LIVE_ONLY.has(event.type)) events++;
        log.append(event);
      },
    },
    maxTurns: EVENTS,
    steps: DIRECT_STEPS,
    todos,
    canAsk: false,
    tools: { ...workbench.runnerOptions(log), hooks: [] },
  });
  for await (const _event of agent.run('Look at the files, one at a time.')) void _event;
  await log.close();
  return askedAt;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Not the median: what is done now and then, such as a compaction, counts too. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

try {
  mkdirSync(root);
  for (let i = 0; i < 20; i++)
    writeFileSync(join(root, `file-${i}.txt`), `line of file ${i}, with some words in it\n`.repeat(30));
  const askedAt = await makeSession();
  const turns = askedAt.slice(1).map((at, i) => at - (askedAt[i] ?? 0));
  const early = mean(turns.slice(WARM_UP, WARM_UP + SAMPLE));
  const late = mean(turns.slice(-SAMPLE));
  const opened: number[] = [];
  const walls: number[] = [];
  for (let i = 0; i < OPENINGS; i++) {
    const startedAt = performance.now();
    const startedCpu = cpuMs();
    await readSession(path);
    opened.push(cpuMs() - startedCpu);
    walls.push(performance.now() - startedAt);
  }
  const records = readFileSync(path, 'utf8').split('\n').length - 1;
  const { messages, compaction } = await readSession(path);
  const size = `${records} records, ${(statSync(path).size / 1024 ** 2).toFixed(1)} MB, ${messages.length} messages`;
  process.stdout.write(`session: ${size}, ${compaction === null ? 'not compacted' : 'compacted'}\n`);
  process.stdout.write(
    `opened in ${median(opened).toFixed(0)} ms of the processor, ${median(walls).toFixed(0)} ms by the clock, the first in ${walls[0]?.toFixed(0)} (wanted ${OPEN_TARGET_MS})\n`,
  );
  process.stdout.write(
    `a turn: ${early.toFixed(2)} ms at the beginning, ${late.toFixed(2)} ms at the end, ratio ${(late / early).toFixed(2)} (wanted ${RATIO_TARGET})\n`,
  );
  if (median(opened) > OPEN_TARGET_MS || late / early > RATIO_TARGET) process.exitCode = 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}
