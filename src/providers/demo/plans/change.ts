import { entriesOf } from '../reading/entries.ts';
import type { Entry } from '../reading/entry.ts';
import type { FileView } from '../reading/file-view.ts';
import { matchEntries } from '../reading/match-entry.ts';
import { isInQuotedPath, type Spot, type SpotEdit, spotsOf, uniqueEdit, uniqueEdits, wholeWordSpots } from '../reading/spots.ts';
import { conceptWordsIn } from '../understanding/concept-words.ts';
import type { ReplaceTask } from '../understanding/task.ts';
import { newValueFor } from './new-value.ts';

/** A file whose lines are known. */
export interface TextFile {
  readonly path: string;
  readonly view: FileView;
}

/** What to change in a file. `lines` are the 1-based lines that change, `left` those where the text stays, `paths` those where it stays since it names a file; `key` names the value that changes, or is null for text. */
export interface Change {
  readonly edits: readonly SpotEdit[];
  readonly isEverywhere: boolean;
  readonly key: string | null;
  readonly from: string;
  readonly to: string;
  readonly lines: readonly number[];
  readonly left: readonly number[];
  readonly paths: readonly number[];
}

/** A change, several values of which each may be meant, or null where the file has nothing that fits. */
export type FoundChange = Change | { readonly candidates: readonly Entry[] } | null;

/** Finds what a request means in a file: its text, or the value that it describes. */
export function changeIn(file: TextFile, task: ReplaceTask): FoundChange {
  const asText = (): Change | null => (task.from === null ? textChange(file, task, task.subject) : null);
  const asOldValue = (): Change | null => (task.from === null ? null : textChange(file, task, task.from));
  switch (task.reading) {
    case 'text':
      return asText() ?? valueChange(file, task) ?? asOldValue();
    case 'value':
      return valueChange(file, task) ?? asOldValue();
    case 'line':
    case 'line_out':
      return lineChange(file, task);
    case 'either':
      return isKeyOf(file, task.subject) ? valueChange(file, task) : (asText() ?? valueChange(file, task) ?? asOldValue());
  }
}

/**
 * The change of a text wherever it is meant: as a whole word where it stands as one, on the line or the first place where that was
 * asked. A name inside a quoted path is the name of a file and stays; where the text stands nowhere else there are no edits.
 */
export function textChange({ view }: TextFile, task: ReplaceTask, from: string): Change | null {
  const every = spotsOf(view.lines, from);
  const whole = wholeWordSpots(view.lines, from);
  // "foo" in "foobar" is rarely meant where "foo" stands by itself as well, unless all of them were asked for.
  const isWord = whole.length > 0 && task.reach !== 'all';
  const paths = isWord && /^[A-Za-z_$][\w$]*$/.test(from) ? whole.filter((spot) => isInQuotedPath(view.lines, spot)) : [];
  const meant = narrowed(isWord ? whole.filter((spot) => !paths.includes(spot)) : every, task, view);
  if (meant.length === 0 && paths.length === 0) return null;
  const lineOf = (spot: Spot): number => spot.line + view.firstLine;
  const isEverywhere = meant.length === every.length;
  const edits = isEverywhere ? [{ oldText: from, newText: task.to }] : uniqueEdits(view.lines, meant, { from, to: task.to });
  const isAmong = (spots: readonly Spot[], { line, column }: Spot): boolean =>
    spots.some((other) => other.line === line && other.column === column);
  const left = every.filter((spot) => !isAmong(meant, spot) && !isAmong(paths, spot));
  return {
    edits,
    isEverywhere: isEverywhere && meant.length > 1,
    key: null,
    from,
    to: task.to,
    lines: meant.map(lineOf),
    left: left.map(lineOf),
    paths: paths.map(lineOf),
  };
}

// A line that is taken out takes its line end along, or the one before it where it is the last.
function lineChange({ view }: TextFile, task: ReplaceTask): Change | null {
  const row = task.line === null ? rowOf(view, task.subject) : lineNumber(view, task.line) - view.firstLine;
  const text = view.lines[row];
  if (text === undefined) return null;
  const isLast = row === view.lines.length - 1;
  const [start, end] = isLast ? [Math.max(0, row - 1), row + 1] : [row, row + 2];
  const kept = isLast ? view.lines.slice(start, row) : view.lines.slice(row + 1, end);
  const span =
    task.reading === 'line' ? { start: row, end: row + 1, changed: task.to } : { start, end, changed: kept.join('\n') };
  const from = text === '' ? '\n' : text;
  return {
    edits: [uniqueEdit(view.lines, span)],
    isEverywhere: false,
    key: null,
    from,
    to: task.to,
    lines: [row + view.firstLine],
    left: [],
    paths: [],
  };
}

// The line that is this text, or else the first that has it.
function rowOf({ lines }: FileView, text: string): number {
  const whole = lines.findIndex((line) => line.trim() === text.trim());
  return whole === -1 ? lines.findIndex((line) => line.includes(text)) : whole;
}

function lineNumber(view: FileView, line: number): number {
  return line < 0 ? view.firstLine + view.lines.length + line : line;
}

function narrowed(spots: readonly Spot[], task: ReplaceTask, view: FileView): readonly Spot[] {
  const line = task.line === null ? null : lineNumber(view, task.line);
  const onLine = line === null ? spots : spots.filter((spot) => spot.line + view.firstLine === line);
  return task.reach === 'first' ? onLine.slice(0, 1) : onLine;
}

function valueChange(file: TextFile, task: ReplaceTask): FoundChange {
  const words = [...new Set([...(/^[\w.-]+$/.test(task.subject) ? [task.subject] : []), ...conceptWordsIn(task.subject)])];
  const fitting = scalarsOf(file).filter((entry) => task.from === null || entry.value === task.from || entry.raw === task.from);
  const { best } = matchEntries(fitting, words);
  const [entry, ...others] = best;
  if (entry === undefined) return null;
  return others.length > 0 ? { candidates: best } : changeOfEntry(file, entry, task.to);
}

function changeOfEntry({ path, view }: TextFile, entry: Entry, wanted: string): Change {
  const to = newValueFor(entry, wanted, path);
  const row = entry.line - view.firstLine;
  const text = view.lines[row] ?? '';
  const column = columnOf(entry, text);
  const changed = text.slice(0, column) + to + text.slice(column + entry.raw.length);
  const edit = uniqueEdit(view.lines, { start: row, end: row + 1, changed });
  return {
    edits: [edit],
    isEverywhere: false,
    key: entry.keys.join('.'),
    from: entry.raw,
    to,
    lines: [entry.line],
    left: [],
    paths: [],
  };
}

// Several entries may share a line, and two of them a value; the value stands behind its own key.
function columnOf(entry: Entry, text: string): number {
  const key = entry.keys.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const behind = Math.max(0, text.indexOf(key) + key.length);
  const column = text.indexOf(entry.raw, behind);
  return column === -1 ? text.lastIndexOf(entry.raw) : column;
}

// In a file of settings "change timeoutMs to 5" means its value; in code it means the name.
function isKeyOf(file: TextFile, subject: string): boolean {
  const isSettings = /\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|properties|env\w*)$|(?:^|\/)\.env/.test(file.path);
  return (
    isSettings &&
    scalarsOf(file).some(
      (entry) => entry.keys.at(-1) === subject || (subject.includes('.') && entry.keys.join('.').endsWith(subject)),
    )
  );
}

function scalarsOf({ path, view }: TextFile): readonly Entry[] {
  return entriesOf(path, view.lines, view.firstLine).filter((entry) => !entry.isContainer && entry.raw !== '');
}
