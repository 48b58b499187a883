import { displayLine } from '../../core/display-text.ts';
import { MAX_LIVE_ROWS } from '../chat/question-size.ts';
import type { ChatState } from '../chat/state.ts';
import type { Frame, ScreenSize } from '../inline/paint.ts';
import { styled } from '../theme.ts';
import { truncate } from '../text/display-width.ts';
import { blockRows, hasGapBefore } from './block-rows.ts';
import { liveCallRows } from './call-rows.ts';
import type { DrawFacts } from './draw-facts.ts';
import { dialogRows } from './dialog-rows.ts';
import { inputRows, menuRows } from './input-rows.ts';
import { pickerRows } from './picker-rows.ts';
import { statusRow, todoRow, workRow } from './status-rows.ts';

const MAX_INPUT_ROWS = 6;
const MAX_QUEUE_ROWS = 3;

/** What the screen should show: blocks that are finished as lines, and below them the rows that may still change. Pure. */
export function viewChat(state: ChatState, size: ScreenSize, nowMs: number): Frame {
  const facts: DrawFacts = { theme: state.theme, say: state.say, columns: size.columns, cwd: state.session?.cwd ?? '' };
  return { committed: committedLines(state, facts), ...liveRows(state, size, { ...facts, nowMs }) };
}

function committedLines({ pending, lastBlock }: ChatState, facts: DrawFacts): readonly string[] {
  const lines: string[] = [];
  let last = lastBlock;
  for (const block of pending) {
    if (hasGapBefore(block.type, last)) lines.push('');
    lines.push(...blockRows(block, facts));
    last = block.type;
  }
  return lines;
}

function liveRows(
  state: ChatState,
  { rows: height, columns }: ScreenSize,
  facts: DrawFacts & { readonly nowMs: number },
): Omit<Frame, 'committed'> {
  const { theme, input, dialog, picker } = state;
  const maxRows = Math.max(2, Math.min(height - 2, MAX_LIVE_ROWS));
  const bottom =
    dialog !== null
      ? dialogRows(dialog, facts)
      : picker !== null
        ? pickerRows(picker, facts, maxRows - 1)
        : inputRows(input, { theme, columns, say: state.say, maxRows: Math.min(MAX_INPUT_ROWS, maxRows - 1) });
  const below = dialog !== null || picker !== null ? [] : [...menuRows(input, { theme, columns }), statusRow(state, facts.nowMs)];
  const room = maxRows - bottom.rows.length - below.length;
  const work = dialog !== null ? [] : workRows(state, facts.nowMs);
  const above = fitting([...callsAndAnswer(state, facts, room - work.length)], work, room);
  const all = [...above, ...bottom.rows, ...below];
  // On a very low screen the caret is what must be seen.
  const cut = Math.max(0, Math.min(all.length - maxRows, above.length + bottom.caret.row));
  return {
    live: all.slice(cut, cut + maxRows),
    caret: { row: above.length + bottom.caret.row - cut, column: Math.min(bottom.caret.column, columns - 1) },
  };
}

/** The newest rows that fit, and the rows about the work below them. */
function fitting(upper: readonly string[], work: readonly string[], room: number): readonly string[] {
  if (room <= 0) return [];
  const kept = work.slice(-room);
  const left = room - kept.length;
  return [...(left <= 0 ? [] : upper.slice(-left)), ...kept];
}

function callsAndAnswer(state: ChatState, facts: DrawFacts & { readonly nowMs: number }, room: number): readonly string[] {
  const { openRows, run, lastBlock, pending } = state;
  const last = pending.at(-1)?.type ?? lastBlock;
  const answer = openRows.length === 0 ? [] : [...(last !== null && hasGapBefore('answer', last) ? [''] : []), ...openRows];
  const calls = run?.calls ?? [];
  const maxTail = Math.max(0, Math.min(3, Math.floor((room - 1) / Math.max(1, calls.length)) - 1));
  return [...answer, ...calls.flatMap((call) => liveCallRows(call, { ...facts, maxTail }))];
}

function workRows(state: ChatState, nowMs: number): readonly string[] {
  const { run, todos, queue, theme, columns, lastBlock, pending, say } = state;
  const queued = queue.slice(-MAX_QUEUE_ROWS).map(({ shown }, at, all) => {
    const words = truncate(displayLine(shown, 200), Math.max(8, columns - 26));
    return styled(theme.dim, `${say('queued', { prompt: words })}${at === all.length - 1 ? `   ${say('queued_edit')}` : ''}`);
  });
  return [
    ...(lastBlock === null && pending.length === 0 ? [] : ['']),
    ...(run === null ? [] : [workRow(run, state, nowMs)]),
    ...(todos.length === 0 ? [] : [todoRow(todos, state)]),
    ...queued,
  ];
}
