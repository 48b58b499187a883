import { displayLine } from '../../core/display-text.ts';
import type { Todo } from '../../core/todo-list.ts';
import type { ChatState, Run } from '../chat/state.ts';
import { styled } from '../theme.ts';
import type { Say } from '../words/say.ts';
import { displayWidth, truncate } from '../text/display-width.ts';
import { formatCost, formatCount, formatElapsed } from './format.ts';

const SPINNER = ['·', '✢', '✳', '✶', '✻', '✽', '✻', '✶', '✳', '✢'];
const SPIN_MS = 120;

/** What the agent is at, and for how long. */
export function workRow(run: Run, state: ChatState, nowMs: number): string {
  const { theme, columns, cost, usage, say } = state;
  const elapsedMs = nowMs - run.startedMs;
  const mark = SPINNER[Math.floor(elapsedMs / SPIN_MS) % SPINNER.length] ?? '·';
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const facts = [
    ...(elapsedMs < 1000 ? [] : [formatElapsed(elapsedMs)]),
    ...(tokens === 0 ? [] : [`${formatCount(tokens)} tok`]),
    ...(cost === null || cost === 0 ? [] : [formatCost(cost)]),
    say('esc_stops'),
  ].join(' · ');
  const what = truncate(workOf(run, state, nowMs), Math.max(10, columns - displayWidth(facts) - 6));
  return `${styled(theme.accent, `${mark} ${what}`)}   ${styled(theme.dim, facts)}`;
}

function workOf({ doing, retry }: Run, { todos, say }: ChatState, nowMs: number): string {
  if (doing === 'stopping') return say('stopping');
  if (retry !== null) {
    const seconds = Math.max(0, Math.ceil((retry.untilMs - nowMs) / 1000));
    return say('retry', { seconds, cause: displayLine(retry.cause, 120) });
  }
  const current = todos.find(({ status }) => status === 'in_progress');
  if (current !== undefined) return displayLine(current.content, 80);
  return say(`work_${doing}`);
}

const MARKS = { completed: '✓', in_progress: '▸', pending: '○', cancelled: '-' } as const;

/** The plan on one row, around the step that is being worked on. */
export function todoRow(todos: readonly Todo[], { theme, columns, say }: Pick<ChatState, 'theme' | 'columns' | 'say'>): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const head = `▣ ${say('todo')} ${done}/${todos.length}  `;
  const active = todos.findIndex(({ status }) => status === 'in_progress');
  const shown = todos.slice(Math.max(0, (active === -1 ? done : active) - 2));
  const items = shown.map(({ status, content }) => `${MARKS[status]} ${displayLine(content, 40)}`).join('  ');
  return `${styled(theme.accent, head)}${truncate(items, Math.max(0, columns - 1 - displayWidth(head)))}`;
}

/** Model, mode, sandbox and how full the context is; on the right what to press. */
export function statusRow(state: ChatState, nowMs: number): string {
  const { theme, columns, session, hint, contextUsed, say } = state;
  const left =
    session === null
      ? ` ${say('starting')}`
      : ` ${[session.model, session.mode, say(session.sandbox === 'none' ? 'no_sandbox' : 'sandbox_on'), ...context(contextUsed, session.contextTokens, say)].join(' · ')}`;
  const right = hint !== null && nowMs < hint.untilMs ? hint.text : say('help_hint');
  const room = columns - 1 - displayWidth(right) - 2;
  const shown = truncate(left, Math.max(0, room));
  const gap = ' '.repeat(Math.max(2, columns - 1 - displayWidth(shown) - displayWidth(right)));
  // The gap is moved over, not written: a narrower window would break a full row in two.
  return styled(theme.dim, `${shown}${gap.slice(0, MAX_GAP)}${right}`);
}

const MAX_GAP = 4;

function context(used: number | null, size: number | null, say: Say): readonly string[] {
  if (used === null) return [];
  return [
    size === null
      ? `${say('context')} ${formatCount(used)}`
      : `${say('context')} ${Math.min(100, Math.round((100 * used) / size))} %`,
  ];
}
