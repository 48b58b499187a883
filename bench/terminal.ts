import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import type { AgentEvent } from '../src/core/agent-event.ts';
import { ChatStore } from '../src/ui/chat/chat-store.ts';
import type { TerminalPort } from '../src/ui/chat/terminal-port.ts';
import { namedKey } from '../src/ui/keys/key.ts';
import { sayInEnglish } from '../src/ui/words/say.ts';
import { createTheme } from '../src/ui/theme.ts';

// What the terminal costs: bytes for a streamed answer, memory after many events, a key's way to the screen under load, and the time to the first frame.
// Usage: node --expose-gc bench/terminal.ts [ROUNDS], after npm run build.
const ROUNDS = Number(process.argv[2] ?? 5);
const LINES = 200;
const DELTAS_PER_SECOND = 2000;
const KEYS = 60;
const EVENTS = 10_000;

/** A terminal that counts and keeps what it is sent. */
function createCountingTerminal(): TerminalPort & { readonly written: string } {
  let written = '';
  return {
    get written() {
      return written;
    },
    size: { columns: 80, rows: 24 },
    reflow: 'all',
    tellsBackground: false,
    start: () => undefined,
    stop: () => undefined,
    write: (bytes) => {
      written += bytes;
      return true;
    },
    onDrain: () => undefined,
    onData: () => undefined,
    onResize: () => undefined,
    suspend: () => Promise.resolve(),
  };
}

/** The same, and keeps nothing. */
function createForgettingTerminal(): TerminalPort {
  return { ...createCountingTerminal(), write: () => true };
}

function createStore(terminal: TerminalPort): ChatStore {
  const store = new ChatStore({
    terminal,
    theme: createTheme('ansi-16'),
    say: sayInEnglish,
    now: () => performance.now(),
    onWish: () => undefined,
  });
  store.dispatch({ type: 'run_started', block: null, nowMs: performance.now() });
  return store;
}

/** Bytes for 200 lines, one every 5 to 8 ms, as in the experiment that chose the driver. */
async function streamedBytes(): Promise<{ readonly bytes: number; readonly textBytes: number }> {
  const terminal = createCountingTerminal();
  const store = createStore(terminal);
  let textBytes = 0;
  for (let i = 0; i < LINES; i++) {
    const line = `line ${i} ${'word '.repeat(i % 9)}\n`;
    textBytes += line.length;
    store.addText(line);
    await sleep(5 + (i % 4));
  }
  store.endText();
  store.close();
  return { bytes: terminal.written.length, textBytes };
}

/** Milliseconds from each key to the frame that shows it, while deltas arrive. */
async function echoTimes(): Promise<readonly number[]> {
  const terminal = createCountingTerminal();
  const store = createStore(terminal);
  let sent = 0;
  const startedMs = performance.now();
  const deltas = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * DELTAS_PER_SECOND);
    for (; sent < due; sent++) store.addText(sent % 12 === 11 ? 'delta\n' : 'delta ');
  }, 1);
  const times: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const name = String.fromCharCode(97 + (i % 26));
    const before = terminal.written.length;
    const pressedMs = performance.now();
    store.dispatch({ type: 'key', key: { type: 'text', text: `${name}#` }, nowMs: pressedMs });
    while (!terminal.written.slice(before).includes(`${name}#`)) await sleep(1);
    times.push(performance.now() - pressedMs);
    store.dispatch({ type: 'key', key: namedKey('u', { ctrl: true }), nowMs: performance.now() });
    await sleep(20 + (i % 30));
  }
  clearInterval(deltas);
  store.close();
  return times;
}

/** Milliseconds from the start of the process to its first frame, and to a session that is ready. */
async function startTimes(home: string): Promise<{ readonly frameMs: number; readonly readyMs: number }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/wield.js'), '--model', 'demo'], {
    cols: 80,
    rows: 24,
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm-256color' },
  });
  const times = { frameMs: Number.NaN, readyMs: Number.NaN };
  await new Promise<void>((resolve) => {
    let written = '';
    child.onData((data) => {
      written += data;
      if (Number.isNaN(times.frameMs) && written.includes('? help')) times.frameMs = performance.now() - startedMs;
      if (!written.includes('sandbox')) return;
      times.readyMs = performance.now() - startedMs;
      resolve();
    });
  });
  child.kill('SIGKILL');
  return times;
}

/** Milliseconds that node itself needs to write one line to such a terminal. */
async function floorMs(home: string): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("? help")'], {
    cols: 80,
    rows: 24,
    cwd: home,
    env: { HOME: home },
  });
  await new Promise<void>((resolve) => child.onData(() => resolve()));
  const ms = performance.now() - startedMs;
  child.kill('SIGKILL');
  return ms;
}

/** Megabytes of heap that a chat holds on to after so many events: calls with their answers, and streamed text between them. */
function heldMegabytes(events: number): number {
  const terminal = createForgettingTerminal();
  const store = createStore(terminal);
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const before = heap();
  for (let seq = 0; seq < events; seq += 3) {
    const place = { seq, turn: 1, agentId: 'main', toolUseId: `call_${seq}`, name: 'ReadFile' };
    const dispatch = (event: AgentEvent): void =>
      store.dispatch({ type: 'agent', event, nowMs: performance.now(), patch: null, before: null });
    dispatch({ ...place, type: 'tool_start', subject: `/project/file-${seq}.ts` });
    const text = `${seq}\t${'line of a file '.repeat(40)}\n`.repeat(20);
    dispatch({ ...place, type: 'tool_result', durationMs: 1, result: { isError: false, content: [{ type: 'text', text }] } });
    store.addText(`paragraph ${seq}\n\n`);
    store.screen.draw();
  }
  store.endText();
  store.close();
  return heap() - before;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

const home = mkdtempSync(join(tmpdir(), 'wield-bench-'));
try {
  const { bytes, textBytes } = await streamedBytes();
  console.log(`${LINES} streamed lines: ${bytes} bytes written for ${textBytes} of text (${(bytes / textBytes).toFixed(2)} ×)`);
  // The first round warms up what stays for good.
  heldMegabytes(EVENTS / 10);
  console.log(
    `after ${EVENTS.toLocaleString('en')} events the chat holds ${heldMegabytes(EVENTS).toFixed(1)} MB${globalThis.gc === undefined ? ' (not collected: run with --expose-gc)' : ''}`,
  );
  const echo = await echoTimes();
  console.log(
    `a key on the screen at ${DELTAS_PER_SECOND} deltas a second: median ${quantile(echo, 0.5).toFixed(0)} ms, 95 % ${quantile(echo, 0.95).toFixed(0)} ms`,
  );
  const starts: { readonly frameMs: number; readonly readyMs: number; readonly floor: number }[] = [];
  await startTimes(home);
  for (let i = 0; i < ROUNDS; i++) starts.push({ ...(await startTimes(home)), floor: await floorMs(home) });
  const median = (of: (start: (typeof starts)[number]) => number): string => quantile(starts.map(of), 0.5).toFixed(0);
  console.log(
    `start: first frame ${median(({ frameMs }) => frameMs)} ms, session ready ${median(({ readyMs }) => readyMs)} ms, node alone ${median(({ floor }) => floor)} ms`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
