import { isRawPath } from '../host/effects/raw-path.ts';
import { isJsonObject, type JsonObject } from '../core/json-value.ts';
import type { EntryState, PathChange } from '../host/effects/entry-state.ts';

/** What one call did to files, or what background commands did while no call ran. */
export interface EffectRecord {
  readonly type: 'effect';
  readonly id: number;
  /** The prompt of the session that it belongs to, from 1. */
  readonly turn: number;
  /** Null for background commands. */
  readonly toolUseId: string | null;
  /** The call for which a sub-agent did it. */
  readonly onBehalfOf?: string;
  /** The tool and its subject, or the commands. */
  readonly by: string;
  readonly changes: readonly PathChange[];
}

/** What an undo changed, or what a redo did to undo that. `of` are the ids of the effects, or the one of the undo. */
export interface UndoRecord {
  readonly type: 'undo' | 'redo';
  readonly id: number;
  readonly of: readonly number[];
  readonly changes: readonly PathChange[];
  /** False where conflicts were left: what they belong to can be undone again. */
  readonly isWhole: boolean;
}

/** What an undo or a redo is about to change. Without an `UndoRecord` behind it, it was broken off in the middle. */
export interface BegunRecord {
  readonly type: 'begun';
  readonly verb: UndoRecord['type'];
  readonly id: number;
  readonly of: readonly number[];
  readonly changes: readonly PathChange[];
  /** False where conflicts were seen. */
  readonly isWhole: boolean;
}

/** The model knows of all records up to this id. */
export interface ToldRecord {
  readonly type: 'told';
  readonly id: number;
}

export type JournalRecord = EffectRecord | UndoRecord | BegunRecord | ToldRecord;

/** One line of the file, or null where it is damaged or of another kind. */
export function parseJournalRecord(line: string): JournalRecord | null {
  const record = parseJson(line);
  if (!isJsonObject(record) || typeof record['id'] !== 'number') return null;
  if (record['type'] === 'told') return { type: 'told', id: record['id'] };
  if (!Array.isArray(record['changes']) || !record['changes'].every(isChange)) return null;
  // Its shape is checked here.
  if (record['type'] === 'effect') return isEffect(record) ? (record as unknown as EffectRecord) : null;
  if (!isUndo(record)) return null;
  if (record['type'] === 'begun') return isVerb(record['verb']) ? (record as unknown as BegunRecord) : null;
  return isVerb(record['type']) ? (record as unknown as UndoRecord) : null;
}

function isEffect({ turn, toolUseId, onBehalfOf, by }: JsonObject): boolean {
  if (onBehalfOf !== undefined && typeof onBehalfOf !== 'string') return false;
  return typeof turn === 'number' && (toolUseId === null || typeof toolUseId === 'string') && typeof by === 'string';
}

function isVerb(value: unknown): boolean {
  return value === 'undo' || value === 'redo';
}

function isUndo({ of, isWhole }: JsonObject): boolean {
  return Array.isArray(of) && of.every((id) => typeof id === 'number') && typeof isWhole === 'boolean';
}

function isChange(value: unknown): value is PathChange {
  if (!isJsonObject(value) || typeof value['path'] !== 'string') return false;
  if (!value['path'].startsWith('/') || !isRawPath(value['path'])) return false;
  return isStateOrNull(value['before']) && isStateOrNull(value['after']);
}

function isStateOrNull(value: unknown): value is EntryState | null {
  if (value === null) return true;
  if (!isJsonObject(value)) return false;
  switch (value['kind']) {
    case 'file':
      return isMode(value['mode']) && typeof value['size'] === 'number' && typeof value['hash'] === 'string';
    case 'link':
      return typeof value['target'] === 'string' && isRawPath(value['target']);
    case 'folder':
      return isMode(value['mode']);
    case 'uncovered':
      return typeof value['why'] === 'string' && typeof value['mark'] === 'string';
    default:
      return false;
  }
}

function isMode(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0o7777;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
