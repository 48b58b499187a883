import { isOfSubAgent } from '../../core/agent-event.ts';
import { displayLine, displayText } from '../../core/display-text.ts';
import { partReason } from '../../core/part-reason.ts';
import { type EditReview, reviewOf } from '../chat/edit-review.ts';
import { commandKeyOf, type PermissionDialog } from '../chat/dialog.ts';
import { MAX_PART_ROWS, MAX_SUBJECT_ROWS } from '../chat/question-size.ts';
import { layoutText } from '../editor/layout-text.ts';
import { bufferOf } from '../editor/text-buffer.ts';
import { ruleText } from '../permission-question.ts';
import { styled, type Theme } from '../theme.ts';
import { displayWidth, truncate } from '../text/display-width.ts';
import type { DrawFacts } from './draw-facts.ts';
import { subjectOf, verbOf } from './call-outcome.ts';
import type { InputRows } from './input-rows.ts';
import { reviewRows } from './review-rows.ts';

const MAX_BOX_COLUMNS = 100;

/** The question in a box. The caret stands where something is written, or at the end of the keys. */
export function dialogRows(dialog: PermissionDialog, facts: DrawFacts): InputRows {
  const columns = Math.min(MAX_BOX_COLUMNS, facts.columns - 1);
  const inner = columns - 4;
  const body =
    dialog.review === null
      ? [...subjectRows(dialog, facts, inner), ...partRows(dialog, facts, inner), ...offerRows(dialog, facts, inner)]
      : reviewRows(dialog.review, facts, inner);
  const foot = footRows(dialog, facts, inner);
  const border = (text: string) => styled(facts.theme.border, text);
  const boxed = [...body, ...foot.rows].map(
    (row) => `${border('│')} ${row}${' '.repeat(Math.max(0, inner - displayWidth(row)))} ${border('│')}`,
  );
  return {
    rows: [topRow(dialog, facts, columns), ...boxed, border(`└${'─'.repeat(columns - 2)}┘`)],
    caret: { row: 1 + body.length + foot.caret.row, column: 2 + foot.caret.column },
  };
}

function topRow({ request }: PermissionDialog, { theme, cwd, say }: DrawFacts, columns: number): string {
  const key = isOfSubAgent(request) ? 'allow_title_sub_agent' : 'allow_title';
  const title = ` ${say(key, { name: displayLine(request.name, 30) })} `;
  const first = whyOf(request, cwd);
  const why = first === '' ? '' : ` ${say('why', { reason: truncate(first, Math.max(0, columns - displayWidth(title) - 16)) })} `;
  const line = '─'.repeat(Math.max(0, columns - 3 - displayWidth(title) - displayWidth(why)));
  const border = (text: string) => styled(theme.border, text);
  return `${border('┌')}${styled(theme.warning, title)}${border(line)}${why}${border('─┐')}`;
}

function whyOf({ parts }: PermissionDialog['request'], cwd: string): string {
  return displayLine(inFolder(parts.find(({ decision }) => decision === 'ask')?.because ?? '', cwd), 200);
}

/** Paths as they are known in this folder. */
function inFolder(text: string, cwd: string): string {
  return cwd === '' ? text : text.replaceAll(`${cwd}/`, '');
}

function subjectRows({ request, isAbove }: PermissionDialog, { theme, cwd, say }: DrawFacts, inner: number): readonly string[] {
  const isWhole = !isAbove;
  const shown = isWhole
    ? (request.details[0] ?? '').replace(/^command: /, '')
    : `${verbOf(request.name, say)} ${subjectOf(request.subject, cwd)}`;
  const rows = layoutText(bufferOf(shown), inner + 1)
    .rows.map((row) => row.shown)
    .filter((row, at) => row !== '' || at === 0);
  const kept = isWhole ? rows : [truncate(rows.join(''), inner)];
  return [
    ...kept.slice(0, MAX_SUBJECT_ROWS + 1).map((row) => styled(theme.bold, row)),
    ...(isWhole ? [] : [styled(theme.dim, truncate(say('stands_above'), inner))]),
  ];
}

function partRows({ request }: PermissionDialog, { theme, cwd, say }: DrawFacts, inner: number): readonly string[] {
  const asking = request.parts.filter(({ decision }) => decision === 'ask');
  // The only reason stands in the border, where it fits.
  if (asking.length === 1 && displayWidth(whyOf(request, cwd)) < inner - 30) return [];
  const rows = asking.slice(0, MAX_PART_ROWS).map((part) => {
    const reason = displayLine(inFolder(partReason(part, { count: request.parts.length, maxChars: 60 }), cwd), 300);
    return `${styled(theme.warning, '·')} ${truncate(reason, inner - 2)}`;
  });
  const left = asking.length - MAX_PART_ROWS;
  return left > 0 ? [...rows, styled(theme.dim, `  ${say('more_reasons', { count: left })}`)] : rows;
}

function offerRows({ request, offer }: PermissionDialog, { theme, cwd, say }: DrawFacts, inner: number): readonly string[] {
  const rule = request.offers[offer];
  if (rule === undefined) return [];
  const of = request.offers.length > 1 ? ` ${say('offer_number', { number: offer + 1, count: request.offers.length })}` : '';
  const covered = rule.covers.map((text) => displayLine(inFolder(text, cwd), 80)).join(' · ');
  const covers = covered === '' || covered === rule.specifier ? '' : `  ${say('offer_covers', { what: covered })}`;
  return [
    truncate(
      `${say(rule.besides === undefined ? 'offer_rule' : 'offer_rules', { rule: displayLine(ruleText(rule, say), 120) })}${of}`,
      inner,
    ),
    ...(covers === '' ? [] : [styled(theme.dim, truncate(covers, inner))]),
  ];
}

function keyRows(dialog: PermissionDialog, { theme, say }: DrawFacts, inner: number): InputRows {
  const hasRule = dialog.request.offers.length > 0;
  const rule = hasRule
    ? [
        ['s', say('key_session')],
        ['p', say('key_project')],
        ['u', say('key_user')],
      ]
    : [];
  const edit = commandKeyOf(dialog) === null ? [] : [['e', say('key_edit')]];
  const review = reviewOf(dialog.input, dialog.before) === null ? [] : [['r', say('key_review')]];
  const keys = [
    ['y', say('key_once')],
    ...rule,
    ['n', say('key_no')],
    ['t', say('key_reason')],
    ...edit,
    ...review,
    ['d', say('key_details')],
  ];
  return listedKeys(keys, { theme, inner });
}

function reviewKeyRows({ verdicts }: EditReview, { theme, say }: DrawFacts, inner: number): InputRows {
  const count = verdicts.filter((verdict) => verdict === 'taken').length;
  const end = count === 0 ? say('review_apply_none') : say('review_apply', { count });
  const keys = [
    ['a', say('review_take')],
    ['r', say('review_leave')],
    ['A', say('review_rest')],
    ['↑↓', say('review_move')],
    ['', end],
    ['', say('review_back')],
  ];
  return listedKeys(keys, { theme, inner });
}

function listedKeys(
  keys: readonly (readonly string[])[],
  { theme, inner }: { readonly theme: Theme; readonly inner: number },
): InputRows {
  const rows: string[] = [];
  let row = '';
  for (const [key = '', words = ''] of keys) {
    const item = key === '' ? words : `${styled(theme.accent, key)} ${words}`;
    const isFull = displayWidth(row) + displayWidth(item) + 3 > inner;
    if (isFull) rows.push(row);
    row = isFull || row === '' ? item : `${row}   ${item}`;
  }
  return { rows: [...rows, row], caret: { row: rows.length, column: Math.min(displayWidth(row), inner - 1) } };
}

function footRows(dialog: PermissionDialog, facts: DrawFacts, inner: number): InputRows {
  if (dialog.review !== null) return reviewKeyRows(dialog.review, facts, inner);
  return dialog.phase === 'choose' ? keyRows(dialog, facts, inner) : writingRows(dialog, facts, inner);
}

function writingRows({ phase, text }: PermissionDialog, { theme, say }: DrawFacts, inner: number): InputRows {
  const label = say(phase === 'reason' ? 'reason_label' : 'edit_label');
  const layout = layoutText({ text: label + displayText(text.text), caret: label.length + text.caret }, inner);
  const first = Math.max(0, layout.caretRow - 2);
  const rows = layout.rows.slice(first, first + 3).map((row) => row.shown);
  const hint = styled(theme.dim, truncate(say(phase === 'reason' ? 'reason_hint' : 'edit_hint'), inner));
  return { rows: [...rows, hint], caret: { row: layout.caretRow - first, column: layout.caretColumn } };
}
