import { access, constants, type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AgentEvent, isOfSubAgent } from '../core/agent-event.ts';
import { AgentError, messageOf, systemCodeOf } from '../core/errors.ts';
import type { ToolUseBlock } from '../core/message.ts';
import type { EffectScope } from '../core/ports.ts';
import type { SessionLog, SessionNote } from '../core/session.ts';
import { holdSession, releaseSession } from './session-lock.ts';

/** The first line of a session file. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 1;
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly createdAt: string;
  /** The session that this one was forked from, after which of its turns, and how many lines are its parent's, this one among them. */
  readonly parent?: { readonly id: string; readonly turn: number; readonly lines: number };
}

/** Marks of what may have had an effect when a session ended in the middle. */
export interface CallMarks {
  started(call: ToolUseBlock, scope?: Pick<EffectScope, 'onBehalfOf'>): Promise<void>;
  finished(call: ToolUseBlock): Promise<void>;
}

/** A session file that is open for writing. */
export interface OpenSessionLog extends SessionLog, CallMarks {
  /** Like `append`, of what is no event. */
  note(note: SessionNote): void;
  /** True once something was to be written. */
  readonly hasContent: boolean;
}

const DURABLE: ReadonlySet<AgentEvent['type']> = new Set([
  'message_added',
  'message_replaced',
  'compacted',
  'permission_decided',
  'todos',
  'error',
  'turn_end',
  'run_end',
]);

/** Makes the folder of a session file and sees whether it can be written; makes no file. Errors: AgentError `session_write_failed`. */
export async function assertSessionWritable(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
    await access(path, constants.W_OK).catch((thrown: unknown) => {
      if (systemCodeOf(thrown) !== 'ENOENT') throw thrown;
    });
  } catch (cause) {
    throw writeFailed(path, cause);
  }
}

/**
 * An append-only file of one JSON value a line, mode 0600. Appends do not wait; lines reach the disk in order.
 * A line that could be written only in part is taken back, so that a later one never joins it. While the file cannot be opened its lines
 * are kept, and each append tries again. From its first line until it is closed no other process can go on with the session. Prompts are
 * numbered, from those on that the session had before.
 */
export function openSessionLog(path: string, header: SessionHeader, pastTurns = 0): OpenSessionLog {
  let hasContent = false;
  let prompts = pastTurns;
  let waiting: string[] = [];
  let isScheduled = false;
  let writing: Promise<void> = Promise.resolve();
  let file: LineFile | null = null;
  // A failure waits for the next flush to be told.
  let failure: AgentError | null = null;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    writing = writing.then(writeWaiting).catch((cause: unknown) => {
      failure = cause instanceof AgentError ? cause : writeFailed(path, cause);
    });
  };
  const write = (line: object): void => {
    hasContent = true;
    // When it happened: an export draws a session along its time.
    waiting.push(`${JSON.stringify({ ...line, at: Date.now() })}\n`);
    schedule();
  };
  async function writeWaiting(): Promise<void> {
    isScheduled = false;
    if (waiting.length === 0) return;
    if (file === null) {
      file = await openForAppend(path, header);
      // No line was lost by not being able to open it before.
      failure = null;
    }
    const lines = waiting.join('');
    waiting = [];
    await file.append(lines);
  }
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) schedule();
    await writing;
    const failed = failure;
    failure = null;
    if (failed !== null) throw failed;
  };

  return {
    id: header.id,
    append: (event) => {
      const line = event.type === 'tool_result' ? timeOf(event) : DURABLE.has(event.type) ? event : null;
      if (event.type === 'run_start') write({ ...event, prompt: ++prompts });
      else if (line !== null) write(isOfSubAgent(event) ? { type: 'sub_agent', agentId: event.agentId, event: line } : line);
    },
    note: write,
    get hasContent() {
      return hasContent;
    },
    flush,
    close: async () => {
      try {
        await flush();
      } finally {
        await file?.close();
        releaseSession(path);
      }
    },
    started: async (call, { onBehalfOf } = {}) => {
      write({ type: 'effect_started', toolUseId: call.id, ...(onBehalfOf === undefined ? {} : { onBehalfOf }) });
      await flush();
      await file?.sync(path);
    },
    finished: async (call) => write({ type: 'effect_finished', toolUseId: call.id }),
  };
}

/** What a result says is in the message that holds it; how long its tool ran is not. */
function timeOf({ toolUseId, durationMs }: Extract<AgentEvent, { type: 'tool_result' }>): object {
  return { type: 'tool_time', toolUseId, durationMs };
}

/** The error of a session file that could not be written, by its cause. */
export function writeFailed(path: string, cause: unknown): AgentError {
  return new AgentError(
    {
      code: 'session_write_failed',
      message: `The session could not be written to ${path}: ${messageOf(cause)}.`,
      remedy: remedyOf(systemCodeOf(cause)),
    },
    { cause },
  );
}

function remedyOf(code: string | null): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some disk space; what was written before is intact.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'Make that folder writable, or name another one for state with XDG_STATE_HOME.';
    default:
      return 'See what stands at that path; what was written before is intact.';
  }
}

/** A file of whole lines. Nobody else writes to it, so its size is known, until a write fails. */
class LineFile {
  readonly #file: FileHandle;
  #size: number | null;

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** On the disk before anything may change: a power cut must not make a call look as if it had never begun. */
  async sync(path: string): Promise<void> {
    try {
      await this.#file.datasync();
    } catch (cause) {
      // Some file systems cannot; then the marks are as safe as all that is written there.
      if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes(systemCodeOf(cause) ?? '')) throw writeFailed(path, cause);
    }
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const size = this.#size ?? (await this.#file.stat()).size;
    this.#size = null;
    try {
      await this.#file.appendFile(bytes);
    } catch (thrown) {
      await this.#file.truncate(size);
      throw thrown;
    }
    this.#size = size + bytes.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function openForAppend(path: string, header: SessionHeader): Promise<LineFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  holdSession(path);
  const file = await open(path, 'a+', 0o600);
  try {
    return await beginLine(file, header);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** A new file gets its header; a line that was cut off keeps its own. */
async function beginLine(file: FileHandle, header: SessionHeader): Promise<LineFile> {
  const { size } = await file.stat();
  const lines = new LineFile(file, size);
  if (size === 0) await lines.append(`${JSON.stringify(header)}\n`);
  else if (!(await endsWithNewline(file, size))) await lines.append('\n');
  return lines;
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}
