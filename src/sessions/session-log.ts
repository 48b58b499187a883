import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AgentEvent } from '../core/agent-event.ts';
import { AgentError, messageOf } from '../core/errors.ts';
import type { EffectJournal } from '../core/ports.ts';
import type { SessionLog } from '../core/session.ts';

/** The first line of a session file. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 1;
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly createdAt: string;
}

const DURABLE: ReadonlySet<AgentEvent['type']> = new Set([
  'run_start',
  'message_added',
  'message_replaced',
  'compacted',
  'permission_decided',
  'todos',
  'error',
  'turn_end',
  'run_end',
]);

/**
 * An append-only file of one JSON value a line, mode 0600. Appends do not wait; lines reach the disk in order.
 * A line that could be written only in part is taken back, so that a later one never joins it.
 */
export function openSessionLog(path: string, header: SessionHeader): SessionLog & EffectJournal {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let file: Promise<FileHandle> | null = null;

  const write = (line: object): void => {
    waiting.push(`${JSON.stringify(line)}\n`);
    if (waiting.length === 1) writing = writing.then(writeWaiting);
  };
  async function writeWaiting(): Promise<void> {
    const lines = waiting.join('');
    waiting = [];
    file ??= openForAppend(path, header);
    await appendWhole(await file, lines);
  }
  const flush = async (): Promise<void> => {
    try {
      await writing;
    } catch (cause) {
      writing = Promise.resolve();
      throw new AgentError(
        {
          code: 'session_write_failed',
          message: `The session could not be written to ${path}: ${messageOf(cause)}.`,
          remedy: 'Free some disk space; what was written before is intact.',
        },
        { cause },
      );
    }
  };
  // A failure waits for the next flush to be told.
  const quiet = (): void => void writing.catch(() => undefined);

  return {
    id: header.id,
    append: (event) => {
      if (!DURABLE.has(event.type)) return;
      write(event);
      quiet();
    },
    flush,
    close: async () => {
      await flush();
      await (await file)?.close();
    },
    started: async (call) => {
      write({ type: 'effect_started', toolUseId: call.id });
      await flush();
    },
    finished: async (call) => {
      write({ type: 'effect_finished', toolUseId: call.id });
      quiet();
    },
  };
}

async function openForAppend(path: string, header: SessionHeader): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a+', 0o600);
  const { size } = await file.stat();
  if (size === 0) await appendWhole(file, `${JSON.stringify(header)}\n`);
  else if (!(await endsWithNewline(file, size))) await appendWhole(file, '\n');
  return file;
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

async function appendWhole(file: FileHandle, text: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.appendFile(text);
  } catch (thrown) {
    await file.truncate(size);
    throw thrown;
  }
}
