import type { CaseResult } from '../app/permissions/permission-cases.ts';
import type { PermissionDesk } from '../app/permissions/permission-desk.ts';
import { hasChanged, type ReplayedCall } from '../app/permissions/permission-replay.ts';
import { displayLine } from '../core/display-text.ts';
import type { DecisionPart, Judgement, PermissionRule } from '../core/permission.ts';
import { renderOffer, renderRule } from '../permissions/rules/rules.ts';

const MAX_TEXT_CHARS = 100;
const MAX_REASON_CHARS = 300;

/** A judgement with each of its parts, a line each, and what would let it pass. */
export function renderJudgement({ decision, because, parts, offers }: Judgement): string {
  const rows = parts.map((part) => [part.decision, short(part.text), long(part.because)]);
  return [
    `${decision}: ${long(because)}`,
    '',
    ...table(rows).map((line) => `  ${line}`),
    ...(offers.length === 0
      ? []
      : ['', 'One of these rules would let it pass:', ...offers.map((offer) => `  ${long(renderOffer(offer))}`)]),
  ].join('\n');
}

/** As command-line.md promises it. */
export function judgementAsJson({ decision, because, parts }: Judgement): object {
  return { decision, because, parts: parts.map(partAsJson) };
}

function partAsJson({ text, decision, because, rule }: DecisionPart): object {
  return { text, decision, because, ...(rule === undefined ? {} : { rule: renderRule(rule) }) };
}

/** The rules in the order in which they hold: deny, ask, allow. */
export function renderRules({ rules, faults, mode }: PermissionDesk): string {
  const rows = inOrder(rules).map((rule) => [rule.behavior, long(renderRule(rule)), rule.scope, long(rule.origin)]);
  return [
    `Permission mode: ${mode}`,
    ...(rows.length === 0 ? ['There are no rules.'] : ['', ...table(rows)]),
    ...(faults.length === 0
      ? []
      : ['', `Not understood: ${faults.length}. They match nothing:`, ...faults.map((fault) => `  ${long(fault)}`)]),
  ].join('\n');
}

/** The same as an object. */
export function rulesAsJson({ rules, faults, mode }: PermissionDesk): object {
  const rows = inOrder(rules).map((rule) => ({
    behavior: rule.behavior,
    rule: renderRule(rule),
    scope: rule.scope,
    origin: rule.origin,
  }));
  return { mode, rules: rows, faults };
}

function inOrder(rules: readonly PermissionRule[]): readonly PermissionRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((behavior) => rules.filter((rule) => rule.behavior === behavior));
}

/** The cases that were not met, and how many were. */
export function renderCases(results: readonly CaseResult[]): string {
  if (results.length === 0)
    return 'The settings hold no cases. Write some, as in "permissions": {"cases": [{"command": "npm test", "expect": "allow"}]}.';
  const failed = results.filter(({ isMet }) => !isMet);
  const lines = failed.flatMap(({ expectation, decision, because }) => [
    `FAILED  ${short(subjectOf(expectation.tool, expectation.input))}  in ${expectation.mode}`,
    `        expected ${expectation.expect}, ${decision === null ? 'not judged' : `decided ${decision}`}: ${long(because)}`,
    `        ${long(expectation.origin)}`,
  ]);
  return [...lines, `${results.length - failed.length} of ${results.length} cases met.`].join('\n');
}

/** The same as an object. */
export function casesAsJson(results: readonly CaseResult[]): object {
  const cases = results.map(({ expectation, decision, because, isMet }) => ({
    ...expectation,
    decision,
    because,
    is_met: isMet,
  }));
  return { met: results.filter(({ isMet }) => isMet).length, cases };
}

/** Each call of a session; those that the present rules decide otherwise are marked. */
export function renderReplay(calls: readonly ReplayedCall[]): string {
  if (calls.length === 0) return 'The session holds no calls.';
  const rows = calls.map((call) => [
    hasChanged(call) ? '*' : ' ',
    `${call.before ?? '?'} → ${call.now ?? '?'}`,
    short(subjectOf(call.tool, call.input)),
    short(call.because),
  ]);
  const changed = calls.filter(hasChanged).length;
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  return [...table(rows), '', `${count}, ${changed} decided otherwise now (*).`].join('\n');
}

/** The same as an object. */
export function replayAsJson(calls: readonly ReplayedCall[]): object {
  return { changed: calls.filter(hasChanged).length, calls: calls.map((call) => ({ ...call, has_changed: hasChanged(call) })) };
}

/** A call in a few words: the tool, and the command or the path. */
function subjectOf(tool: string, input: unknown): string {
  const { command, path } = (typeof input === 'object' && input !== null ? input : {}) as { command?: unknown; path?: unknown };
  const subject = [command, path].find((text) => typeof text === 'string');
  return `${tool}(${subject ?? JSON.stringify(input)})`;
}

/** Rows in columns; the last is as wide as it is. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function short(text: string): string {
  return displayLine(text, MAX_TEXT_CHARS);
}

function long(text: string): string {
  return displayLine(text, MAX_REASON_CHARS);
}
