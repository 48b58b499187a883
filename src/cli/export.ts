import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { realFolder } from '../app/real-folder.ts';
import { exportSession, type ExportFormat } from '../app/export-session.ts';
import { userFolders } from '../app/user-folders.ts';
import { displayText } from '../core/display-text.ts';
import { AgentError, messageOf } from '../core/errors.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

export interface ExportFlags {
  readonly html?: boolean;
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly out?: string;
}

/**
 * `wield sessions export [ID]`: without an id the newest, without a format one page of HTML. It goes to stdout; a page that would flood a
 * terminal goes to a file of its own, as with `--out`.
 */
export async function exportToFile(id: string | undefined, flags: ExportFlags): Promise<number> {
  const format = formatOf(flags);
  const cwd = realFolder(workingFolder());
  const exported = await exportOf(id ?? null, format, cwd);
  const isForFile = format === 'html' && process.stdout.isTTY;
  const out = flags.out ?? (isForFile ? `wield-${exported.id}.html` : '-');
  if (out === '-') await writeOut(process.stdout.isTTY ? displayText(exported.text) : exported.text);
  else await writeOut(`${await written(out, cwd, exported.text)}\n`);
  return 0;
}

/** `/export [FILE]` of a session that is open; says what was written. Errors: AgentError. */
export async function exportOpenSession(id: string, out: string, cwd: string): Promise<string> {
  const format = formatOf({ out });
  const { text } = await exportOf(id, format, cwd).catch((thrown: unknown) => {
    if (thrown instanceof AgentError && thrown.code === 'session_missing')
      throw misuse('There is nothing to export yet.', 'Say something first.', thrown);
    throw thrown;
  });
  // A name that was typed may be that of another file; our own is written anew.
  return out === ''
    ? written(`wield-${id}.html`, cwd, text)
    : written(out, cwd, text, { flag: 'wx', remedy: 'Give another name: /export FILE.' });
}

function exportOf(sessionId: string | null, format: ExportFormat, cwd: string): ReturnType<typeof exportSession> {
  return exportSession({ sessionId, format, cwd, folders: userFolders(process.env), environment: process.env });
}

interface Writing {
  readonly flag: 'w' | 'wx';
  /** What to do where it fails. */
  readonly remedy: string;
}

const OVERWRITING: Writing = { flag: 'w', remedy: 'Name another file with --out, or - for stdout.' };

async function written(out: string, cwd: string, text: string, writing = OVERWRITING): Promise<string> {
  const bytes = await writePrivately(resolve(cwd, out), text, writing);
  return `${displayText(out)} (${Math.ceil(bytes / 1024)} KB)`;
}

function formatOf({ html, markdown, json, out = '' }: ExportFlags): ExportFormat {
  if (html === true) return 'html';
  if (markdown === true || (json !== true && /\.(?:md|markdown)$/i.test(out))) return 'markdown';
  return json === true || /\.json$/i.test(out) ? 'json' : 'html';
}

/** Readable by its owner alone, as sessions are: who shares it decides that. */
async function writePrivately(path: string, text: string, { flag, remedy }: Writing): Promise<number> {
  try {
    await writeFile(path, text, { mode: 0o600, flag });
    return Buffer.byteLength(text);
  } catch (cause) {
    throw misuse(`The export could not be written to ${path}: ${messageOf(cause)}.`, remedy, cause);
  }
}

function misuse(message: string, remedy: string, cause: unknown): AgentError {
  return new AgentError({ code: 'misuse', message, remedy }, { cause });
}
