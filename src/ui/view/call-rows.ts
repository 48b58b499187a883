import { displayText } from '../../core/display-text.ts';
import type { FinishedCall } from '../chat/blocks.ts';
import type { LiveCall } from '../chat/state.ts';
import { styled } from '../theme.ts';
import { displayWidth, truncate } from '../text/display-width.ts';
import { isGood, outcomeOf, outputOf, subjectOf, verbOf } from './call-outcome.ts';
import type { DrawFacts } from './draw-facts.ts';
import { formatDuration, formatElapsed } from './format.ts';
import { patchRows } from './patch-rows.ts';

/** Lines of a command's output that are shown when it has ended. */
const MAX_TAIL_ROWS = 8;
const VERB_COLUMNS = 7;
const TAB_COLUMNS = 4;

/** A finished call: one row, and below it what it changed or the end of what it wrote. */
export function callRows(call: FinishedCall, facts: DrawFacts): readonly string[] {
  const { theme } = facts;
  const good = isGood(call);
  const output = outputOf(call.text);
  const below = call.patch !== null ? patchRows(call.patch, facts) : good || output !== null ? tailRows(output ?? [], facts) : [];
  const more = output !== null && output.length > MAX_TAIL_ROWS ? ` · ${facts.say('open_all', { number: call.number })}` : '';
  const tail = `${outcomeOf(call, facts)} · ${formatDuration(call.durationMs)}${more}`;
  const mark = styled(good ? theme.success : call.wasRefused ? theme.warning : theme.error, '●');
  return [headRow(mark, call, tail, facts), ...below];
}

/** A call that runs: its row with a clock, and the last lines of its output. */
export function liveCallRows(
  call: LiveCall,
  { nowMs, maxTail, ...facts }: DrawFacts & { readonly nowMs: number; readonly maxTail: number },
) {
  const elapsedMs = nowMs - call.startedMs;
  const clock = elapsedMs < 1000 ? '' : formatElapsed(elapsedMs);
  const lines = call.tail.replace(/\n$/, '').split('\n');
  const tail = call.tail === '' || maxTail === 0 ? [] : lines.slice(-maxTail);
  return [headRow(styled(facts.theme.accent, '○'), call, clock, facts), ...tail.map((line) => outputRow(line, facts))];
}

function headRow(
  mark: string,
  { name, subject }: { readonly name: string; readonly subject: string },
  tail: string,
  facts: DrawFacts,
): string {
  const { theme, columns, cwd, say } = facts;
  const word = verbOf(name, say);
  const verb = word + ' '.repeat(Math.max(0, VERB_COLUMNS - displayWidth(word)));
  const room = columns - 1 - 2 - displayWidth(verb) - 1;
  const about = subjectOf(subject, cwd);
  // What came of it may take what the subject leaves, and at least two thirds.
  const shownTail = truncate(tail, Math.max(10, Math.floor(room * 0.65), room - displayWidth(about) - 2));
  const shown = truncate(about, Math.max(8, room - displayWidth(shownTail) - 2));
  return `${mark} ${styled(theme.bold, verb)} ${shown}${shownTail === '' ? '' : `  ${styled(theme.dim, shownTail)}`}`;
}

function tailRows(output: readonly string[], facts: DrawFacts): readonly string[] {
  return output.slice(-MAX_TAIL_ROWS).map((line) => outputRow(line, facts));
}

function outputRow(line: string, { theme, columns }: DrawFacts): string {
  // A progress bar rewrites its line: the last state of it is what counts.
  const last = line.replace(/\r$/, '').split('\r').at(-1) ?? '';
  const shown = displayText(withoutColors(last).replaceAll('\t', ' '.repeat(TAB_COLUMNS)));
  return styled(theme.dim, `  ${truncate(shown, columns - 3)}`);
}

/** The colours of a program are left out, since what else it sends must not act. */
function withoutColors(line: string): string {
  // oxlint-disable-next-line no-control-regex -- SGR sequences begin with escape
  return line.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
