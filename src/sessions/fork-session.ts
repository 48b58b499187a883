import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { systemCodeOf } from '../core/errors.ts';
import type { JsonObject } from '../core/json-value.ts';
import { randomName } from '../host/random-name.ts';
import { startPath } from './replay-start.ts';
import { salvageLine } from './salvage-line.ts';
import { parseRecord } from './session-record.ts';
import { writeFailed } from './session-log.ts';
import type { SessionHeader } from './session-log.ts';
import { parseJournalRecord } from './undo-record.ts';
import { undoLogPath } from './undo-log.ts';

/** A session as it was when another one leaves it. It may go on meanwhile: what it adds later is its own. */
export interface ForkPoint {
  readonly parentPath: string;
  readonly parentId: string;
  /** What the parent's file held. */
  readonly text: string;
  /** The last turn that holds, and the number of the last prompt. */
  readonly turn: number;
  readonly turnCount: number;
}

/**
 * Writes a session that begins with all that its parent holds and goes its own way from there; the parent is only read. It needs the
 * parent no more afterwards. What the parent's calls did to files goes along, so that it can be undone from here too.
 * Errors: AgentError `session_write_failed`.
 */
export async function writeFork(path: string, header: SessionHeader, from: ForkPoint): Promise<void> {
  const lines = inheritedFrom(from.text);
  const parent = { id: from.parentId, turn: from.turn, lines: lines.length + 1 };
  try {
    const effects = effectsUntil(from.turnCount, await textOrNothing(undoLogPath(from.parentPath)));
    if (effects.length > 0) await writeWhole(undoLogPath(path), effects);
    const starts = (await textOrNothing(startPath(from.parentPath))).split('\n').filter((line) => line !== '');
    if (starts.length > 0) await writeWhole(startPath(path), starts);
    await writeWhole(path, [JSON.stringify({ ...header, parent }), ...lines]);
  } catch (cause) {
    throw writeFailed(path, cause);
  }
}

/** Removes a fork that came to nothing. */
export async function removeFork(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(undoLogPath(path), { force: true });
  await rm(startPath(path), { force: true });
}

/** What the parent was called, and what a person allowed for it, is the parent's alone. */
const NOT_INHERITED: ReadonlySet<unknown> = new Set(['session_named', 'rule_added']);

/** All but the header, and but a line that was being written: in a damaged one there may be something to save yet. */
function inheritedFrom(text: string): string[] {
  const lines = text.split('\n').slice(1);
  const last = lines.pop() ?? '';
  return [...lines, ...(isJson(last) ? [last] : [])].flatMap(handedOn);
}

/** A damaged line is read as it will be: what can be saved of it counts. */
function handedOn(line: string): readonly string[] {
  const whole = parseRecord(line);
  if (whole !== null) return isInherited(whole) ? [line] : [];
  const saved = salvageLine(line);
  return saved.every(isInherited) ? [line] : saved.filter(isInherited).map((record) => JSON.stringify(record));
}

function isInherited({ type }: JsonObject): boolean {
  return !NOT_INHERITED.has(type);
}

/** The records of the turns until one, and of what was undone of them. */
function effectsUntil(turn: number, text: string): string[] {
  const kept = new Set<number>();
  return text.split('\n').filter((line) => {
    const record = parseJournalRecord(line);
    if (record === null) return false;
    if (record.type === 'told') return true;
    const isKept = record.type === 'effect' ? record.turn <= turn : record.of.every((id) => kept.has(id));
    if (isKept) kept.add(record.id);
    return isKept;
  });
}

/** A fork is there as a whole or not at all. */
async function writeWhole(path: string, lines: readonly string[]): Promise<void> {
  const temp = `${path}.${randomName()}`;
  try {
    await writeFile(temp, lines.map((line) => `${line}\n`).join(''), { flag: 'wx', mode: 0o600, flush: true });
    await rename(temp, path);
  } finally {
    await rm(temp, { force: true });
  }
}

async function textOrNothing(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCodeOf(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
