import { addSpend, NO_SPEND } from '../../core/accounting.ts';
import type { JsonObject } from '../../core/json-value.ts';
import { textOf } from '../../core/message.ts';
import type { ContentStore } from '../../host/effects/content-store.ts';
import { conversationOf } from '../conversation.ts';
import { readRecords } from '../read-session.ts';
import { messageOfRecord, todosOfRecord } from '../session-record.ts';
import { parentOf } from '../session-state.ts';
import { UndoLog, undoLogPath } from '../undo-log.ts';
import { recordedDiffs } from './file-diffs.ts';
import { maskValue } from './mask-keys.ts';
import { readEntries } from './read-entries.ts';
import type { CallEntry, Entry, FileDiff, SessionDocument, Totals } from './session-document.ts';
import { hasFailed, readTimeline } from './time-spans.ts';

export interface DocumentOptions {
  /** The contents that the undo journal speaks of; null where none are kept. */
  readonly store: ContentStore | null;
  /** Keys that must not stand in an export, beside all that look like one. */
  readonly knownKeys: readonly string[];
}

/** Reads a session for people: all keys are masked. Errors: AgentError `session_missing`, `session_unreadable`. */
export async function readDocument(path: string, { store, knownKeys }: DocumentOptions): Promise<SessionDocument> {
  const { id, records: raw, notices } = await readRecords(path);
  // Masked before anything reads it; maskValue keeps the shape that was checked.
  const records = raw.map((record) => (record === null ? null : (maskValue(record, knownKeys) as JsonObject)));
  const header = records[0] ?? {};
  const text = (name: string): string | null => (typeof header[name] === 'string' ? header[name] : null);
  const cwd = text('cwd');
  const createdAt = text('createdAt');
  const realCwd = raw[0]?.['cwd'];
  const diffs = recordedDiffs(new UndoLog(undoLogPath(path)), store, typeof realCwd === 'string' ? realCwd : null);
  // Diffs come from elsewhere than the records; what is masked twice stays as it is.
  const entries = maskValue(readEntries(records, diffs, cwd), knownKeys) as readonly Entry[];
  const calls = entries.filter((entry) => entry.type === 'call');
  const prompts = entries.filter((entry) => entry.type === 'prompt');
  const prompt = prompts.find(({ isRewound }) => !isRewound) ?? prompts[0];
  const createdAtMs = createdAt === null || Number.isNaN(Date.parse(createdAt)) ? null : Date.parse(createdAt);
  return {
    format: 'wield-session',
    version: 1,
    id,
    createdAt,
    cwd,
    parent: forkedFrom(header),
    models: modelsOf(text('model'), records),
    title: prompt === undefined ? null : textOf(prompt.content),
    totals: totalsOf(entries),
    entries,
    todos:
      conversationOf(records)
        .records.map(todosOfRecord)
        .findLast((todos) => todos !== null) ?? [],
    files: diffs.all.length > 0 ? (maskValue(diffs.all, knownKeys) as SessionDocument['files']) : filesOf(calls),
    timeline: readTimeline(records, calls, createdAtMs),
    notices,
  };
}

function forkedFrom(header: JsonObject): SessionDocument['parent'] {
  const parent = parentOf(header);
  return parent === null ? null : { id: parent.id, prompt: parent.turn };
}

/** Where no journal tells: what each call did to a file, one after the other. */
function filesOf(calls: readonly CallEntry[]): readonly FileDiff[] {
  const files = new Map<string, FileDiff>();
  for (const { path, added, removed, diff } of calls.flatMap(({ isUndone, changes }) => (isUndone ? [] : changes))) {
    const before = files.get(path) ?? { added: 0, removed: 0, diff: [] };
    files.set(path, {
      path,
      added: before.added + added,
      removed: before.removed + removed,
      diff: [...before.diff, ...diff],
    });
  }
  return [...files.values()];
}

function modelsOf(first: string | null, records: readonly (JsonObject | null)[]): readonly string[] {
  const answering = records.flatMap((record) => {
    const message = messageOfRecord(record);
    return message?.role === 'assistant' ? [message.model] : [];
  });
  return [...new Set([...(first === null ? [] : [first]), ...answering])];
}

function totalsOf(entries: readonly Entry[]): Totals {
  const turns = entries.filter((entry) => entry.type === 'turn');
  const calls = entries.filter((entry) => entry.type === 'call');
  return {
    prompts: entries.filter(({ type }) => type === 'prompt').length,
    turns: turns.length,
    calls: calls.length,
    failures: calls.filter(hasFailed).length,
    ...[...turns, ...calls.flatMap(({ subAgent }) => (subAgent === null ? [] : [subAgent]))].reduce(addSpend, NO_SPEND),
  };
}
