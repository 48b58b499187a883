import { displayJson, displayLine, displayText } from '../../core/display-text.ts';
import { shortHash } from '../../core/hash.ts';

/** A tool as a server told of it, all that a model reads of it. */
export interface PinnedTool {
  readonly description: string;
  readonly inputSchema: unknown;
}

/** Tools by name. */
export type Pinned = Readonly<Record<string, PinnedTool>>;

/** What a person would take by approving it: every line of it, and a name for exactly this. */
export interface Offer {
  readonly digest: string;
  /** Each tool that is new or reads otherwise: what it was and what it is, whole, safe to show. */
  readonly lines: readonly string[];
}

const MAX_SHOWN_CHARS = 300;

/** Whether a tool reads as it was approved. */
export function isApproved(approved: Pinned, name: string, { description, inputSchema }: PinnedTool): boolean {
  return Object.hasOwn(approved, name) && textOf(approved[name]) === textOf({ description, inputSchema });
}

/** What is new or reads otherwise, a short line or three a tool: the first place where they differ, cut. */
export function shortChanges(approved: Pinned, offered: Pinned): readonly string[] {
  return changesOf(approved, offered).map(([name, before, after]) => shortChange(displayLine(name), before, after));
}

export function offerOf(approved: Pinned, offered: Pinned): Offer {
  const changes = changesOf(approved, offered);
  return { digest: shortHash(JSON.stringify(changes)), lines: changes.flatMap(wholeChange) };
}

type Change = readonly [name: string, before: PinnedTool | null, after: PinnedTool];

function changesOf(approved: Pinned, offered: Pinned): readonly Change[] {
  return Object.entries(offered)
    .filter(([name, tool]) => !isApproved(approved, name, tool))
    .map(([name, after]) => [name, Object.hasOwn(approved, name) ? (approved[name] ?? null) : null, after]);
}

function shortChange(name: string, before: PinnedTool | null, after: PinnedTool): string {
  if (before === null) return `${name} is new: ${displayLine(after.description, MAX_SHOWN_CHARS)}`;
  const [was, is] =
    before.description === after.description
      ? [JSON.stringify(before.inputSchema), JSON.stringify(after.inputSchema)]
      : [before.description, after.description];
  return `${name} changed\n  - ${fromDifference(was, is)}\n  + ${fromDifference(is, was)}`;
}

/** A text from a little before where it differs from another: a change at the end of a long one is shown too. */
function fromDifference(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  const from = Math.max(0, at - 60);
  return displayLine(`${from > 0 ? '…' : ''}${text.slice(from)}`, MAX_SHOWN_CHARS);
}

function wholeChange([name, before, after]: Change): readonly string[] {
  const shown = displayText(JSON.stringify(name));
  return [
    before === null ? `${shown} is new` : `${shown} changed`,
    ...wholePart('description', before?.description.split('\n') ?? [], after.description.split('\n')),
    ...wholePart('schema', before === null ? [] : schemaLines(before), schemaLines(after)),
  ];
}

/** Lines that are the same at both ends are counted, and all others shown in full. */
function wholePart(title: string, before: readonly string[], after: readonly string[]): readonly string[] {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head++;
  if (head === before.length && head === after.length) return [];
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (count: number): string[] => (count === 0 ? [] : [`    (${count} as it was)`]);
  const marked = (mark: string, lines: readonly string[]): string[] =>
    lines.slice(head, lines.length - tail).map((line) => `  ${mark} ${displayText(line)}`);
  return [`  ${title}:`, ...same(head), ...marked('-', before), ...marked('+', after), ...same(tail)];
}

function schemaLines({ inputSchema }: PinnedTool): readonly string[] {
  const isObject = typeof inputSchema === 'object' && inputSchema !== null;
  return (isObject ? displayJson(inputSchema, 2) : 'none').split('\n');
}

function textOf(tool: PinnedTool | undefined): string {
  return JSON.stringify([tool?.description, tool?.inputSchema]);
}
