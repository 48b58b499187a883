import type { TextBuffer } from './text-buffer.ts';

/** What can be completed: the command line's own words, and the files of the project. */
export interface Candidates {
  readonly commands: readonly CommandWord[];
  /** Relative paths; null until someone asked for them. */
  readonly files: readonly string[] | null;
}

export interface CommandWord {
  readonly name: string;
  readonly summary: string;
  /** Words that can follow it. */
  readonly choices?: readonly string[];
}

export interface CompletionItem {
  readonly text: string;
  readonly summary: string;
}

/** The open menu: what stands between `from` and the caret is replaced by the chosen item. */
export interface Completion {
  readonly kind: 'command' | 'choice' | 'file';
  readonly from: number;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
}

const MAX_ITEMS = 50;

/** The menu for what stands before the caret, or null where there is nothing to complete. */
export function completionFor({ text, caret }: TextBuffer, { commands, files }: Candidates): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return menu('command', 0, commandItems(commands, command));
  const [, name, choice] = /^\/(\S+) (\S*)$/.exec(before) ?? [];
  if (name !== undefined && choice !== undefined)
    return menu('choice', caret - choice.length, choiceItems(commands, name, choice));
  const file = wantedFile({ text, caret });
  if (file === null || files === null) return null;
  return menu('file', caret - file.length - 1, matchFiles(files, file));
}

/** What was typed behind an `@`, or null where no file is being named. */
export function wantedFile({ text, caret }: TextBuffer): string | null {
  return /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with the chosen item in place, and a blank behind it. */
export function applyCompletion({ text, caret }: TextBuffer, { from, items, selected }: Completion): TextBuffer {
  const item = items[selected];
  if (item === undefined) return { text, caret };
  const after = text.slice(caret);
  const added = `${item.text}${after.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, from) + added + after, caret: from + added.length };
}

function menu(kind: Completion['kind'], from: number, items: readonly CompletionItem[]): Completion | null {
  return items.length === 0 ? null : { kind, from, items: items.slice(0, MAX_ITEMS), selected: 0 };
}

function commandItems(commands: readonly CommandWord[], typed: string): readonly CompletionItem[] {
  const found = commands.filter(({ name }) => name.startsWith(typed));
  // What is typed out needs no menu: Enter is to run it.
  if (found.length === 1 && found[0]?.name === typed) return [];
  return found.map(({ name, summary }) => ({ text: `/${name}`, summary }));
}

function choiceItems(commands: readonly CommandWord[], name: string, typed: string): readonly CompletionItem[] {
  const choices = commands.find((command) => command.name === name)?.choices ?? [];
  const found = choices.filter((choice) => choice.includes(typed));
  return found.length === 1 && found[0] === typed ? [] : found.map((text) => ({ text, summary: '' }));
}

function matchFiles(files: readonly string[], typed: string): readonly CompletionItem[] {
  const wanted = typed.toLowerCase();
  return files
    .flatMap((path) => {
      const rank = rankOf(path.toLowerCase(), wanted);
      return rank === null ? [] : [{ path, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_ITEMS)
    .map(({ path }) => ({ text: `@${path}`, summary: '' }));
}

/** The lower the better: the start of the file's name, its name, its path, then the letters in this order. */
function rankOf(path: string, wanted: string): number | null {
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  return hasInOrder(path, wanted) ? 3 : null;
}

function hasInOrder(path: string, wanted: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
