import type { Agent, UserInput } from '../../core/agent.ts';
import type { TextBlock } from '../../core/message.ts';
import { shownPath } from '../../host/effects/raw-path.ts';
import type { UndoLog } from '../../sessions/undo-log.ts';
import type { UndoRecord } from '../../sessions/undo-record.ts';

const MAX_PATHS = 30;

/** The agent, whose model is told with the next prompt what a person has undone meanwhile: it would go on from files that are no more. */
export function tellingUndone(agent: Agent, log: UndoLog): Agent {
  return {
    ...agent,
    run: (prompt, signal) => agent.run(withNote(prompt, takeNote(log)), signal),
  };
}

/** The model need not be told of what was undone so far. */
export function markTold(log: UndoLog): void {
  const last = log.records().findLast(({ type }) => isUndo(type));
  if (last !== undefined) log.append({ type: 'told', id: last.id });
}

function withNote(prompt: UserInput, note: string | null): UserInput {
  if (note === null) return prompt;
  const blocks = typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt;
  const told: TextBlock = { type: 'text', text: note };
  return [...blocks, told];
}

/** Null where the model knows of everything. */
function takeNote(log: UndoLog): string | null {
  const records = log.records();
  const told = records.findLast(({ type }) => type === 'told')?.id ?? 0;
  const news = records.filter((record): record is UndoRecord => record.id > told && isUndo(record.type));
  if (news.length === 0) return null;
  log.append({ type: 'told', id: news.at(-1)?.id ?? told });
  return news.map(noteOn).join('\n');
}

function isUndo(type: string): boolean {
  return type === 'undo' || type === 'redo';
}

function noteOn({ type, changes }: UndoRecord): string {
  const paths = changes.map(({ path }) => shownPath(path)).filter((path) => !path.includes('/.git/'));
  const more = paths.length > MAX_PATHS ? `\nand ${paths.length - MAX_PATHS} more` : '';
  const what =
    type === 'undo'
      ? 'The person undid what your calls did to these files; they are as they were before'
      : 'The person did again what had been undone of your calls on these files';
  return `<files_${type === 'undo' ? 'undone' : 'redone'}>\n${what}. Read them again before you go on.\n${paths.slice(0, MAX_PATHS).join('\n')}${more}\n</files_${type === 'undo' ? 'undone' : 'redone'}>`;
}
