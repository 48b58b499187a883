import { defineTool } from '../core/define-tool.ts';
import { messageOf, systemCodeOf } from '../core/errors.ts';
import type { Job, ShellOutcome } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';

const DESCRIPTION = `Runs a command in a shell (bash), in the project root, and returns its output and exit code.
Use it to run tests, builds, git and other programs. To read, find, search or change files use ReadFile, Glob, Grep and EditFile: they are safer and say more.
Each call starts afresh: a cd or a variable does not last to the next call. Nothing can be typed in: pagers, editors and prompts fail at once. What is left running ends with the call; for a server or a watcher set run_in_background: a job id comes back at once, BashOutput reads it, BashKill ends it.
Returns stdout and stderr together in <output>, then <exit_code>. A non-zero exit code is a result, not an error of the call. Over 10,000 characters the middle is left out and all of it goes to a file that the answer names.
timeout_ms is the deadline, 30000 unless given, at most 600000; at the deadline the command and all it started are ended.`;

const MAX_TIMEOUT_MS = 600_000;
const DEFAULT_TIMEOUT_MS = 30_000;

const INPUT = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'The command, as typed in a shell.' },
    timeout_ms: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS, description: 'Deadline in milliseconds.' },
    run_in_background: { type: 'boolean', description: 'Start it and return a job id at once. Default false.' },
    description: { type: 'string', description: 'What it does, in five to ten words, for the person who is asked.' },
  },
  required: ['command'],
  additionalProperties: false,
} as const;

interface BashInput {
  readonly command: string;
  readonly timeout_ms?: number;
  readonly description?: string;
  readonly run_in_background?: boolean;
}

export type BashMetadata = Omit<ShellOutcome, 'output'> | Job;

/** Runs shell commands. `timeoutMs` is the deadline where the model names none. */
export function createBashTool({
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
  readonly timeoutMs?: number;
} = {}): Tool<BashInput, BashMetadata> {
  return defineTool({
    name: 'Bash',
    description:
      timeoutMs === DEFAULT_TIMEOUT_MS ? DESCRIPTION : DESCRIPTION.replaceAll(String(DEFAULT_TIMEOUT_MS), String(timeoutMs)),
    inputSchema: INPUT,
    category: 'shell',
    aliases: { snakeCase: 'run_command', keys: { cmd: 'command', timeout: 'timeout_ms', timeoutMs: 'timeout_ms' } },
    isReadOnly: false,
    isDestructive: true,
    validateInput: ({ command }) => commandFault(command),
    footprint: () => ({ extent: 'everything', writes: true }),
    subject: ({ command }) => command,
    execute: async (
      { shell, jobs, cwd, signal, progress },
      { command, timeout_ms = timeoutMs, run_in_background: isJob = false },
    ) => {
      try {
        if (isJob) return started(await jobs.start({ command, cwd }));
        return answer(await shell.run({ command, cwd, timeoutMs: timeout_ms, signal, onOutput: progress }), timeout_ms);
      } catch (thrown) {
        return fail(notStarted(cwd, thrown));
      }
    },
  });
}

function started(job: Job): ToolResult<BashMetadata> {
  return succeed(
    `Started ${job.id}. BashOutput {job_id: "${job.id}"} reads what it writes, BashKill ends it; it ends with the session.`,
    job,
  );
}

function commandFault(command: string): string | null {
  if (command.trim() === '') return '"command" is empty. Give the command to run.';
  if (command.includes('\0')) return '"command" holds a NUL character, which no command can.';
  return null;
}

function notStarted(cwd: string, thrown: unknown): string {
  const code = systemCodeOf(thrown);
  const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'the folder is not there any more' : messageOf(thrown);
  return `The command could not be started in ${cwd}: ${reason}. Nothing ran.`;
}

function answer(outcome: ShellOutcome, timeoutMs: number): ToolResult<BashMetadata> {
  const { output, ...metadata } = outcome;
  const exit = outcome.exitCode === null ? '' : `\n<exit_code>${outcome.exitCode}</exit_code>`;
  const notes = notesOn(outcome, timeoutMs);
  const text = `<output>\n${output.replace(/\n$/, '')}\n</output>${exit}${notes.length === 0 ? '' : `\n${notes.join('\n')}`}`;
  return outcome.timedOut || outcome.aborted ? fail(text, metadata) : succeed(text, metadata);
}

function notesOn(outcome: ShellOutcome, timeoutMs: number): string[] {
  const notes = [];
  if (outcome.timedOut) {
    notes.push(
      `Stopped at the deadline of ${timeoutMs} ms with all that could be found of what it had started. What it did until then stays done. Give a longer timeout_ms, or a smaller task.`,
    );
  } else if (outcome.aborted) {
    notes.push(
      'Interrupted by the person, with all that could be found of what it had started. What it did until then stays done.',
    );
  } else if (outcome.ended.length > 0) {
    notes.push(`Still running when the command ended, and stopped: ${outcome.ended.join(', ')}.`);
  }
  if (!outcome.timedOut && !outcome.aborted) notes.push(...signalNotes(outcome));
  if (outcome.survivors.length > 0) notes.push(`Could not be stopped: ${outcome.survivors.join(', ')}.`);
  notes.push(...outcome.denials);
  if (outcome.shell === 'sh') notes.push('There is no bash on this machine; sh ran the command.');
  return notes;
}

// A shell reports a program that a signal ended as 128 and the number of the signal. Source: signal(7), x86 and ARM.
const FATAL_SIGNALS: Readonly<Record<number, string>> = {
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

function signalNotes({ signal, exitCode }: ShellOutcome): string[] {
  if (signal !== null) return [`The command was ended by the signal ${signal}.`];
  const reported = exitCode === null ? undefined : FATAL_SIGNALS[exitCode];
  return reported === undefined ? [] : [`Exit code ${exitCode} is what a shell reports of a program that ${reported} ended.`];
}
