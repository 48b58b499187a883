import { defineTool } from '../core/define-tool.ts';
import { shortHash } from '../core/hash.ts';
import type { FileAccess } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { decodeText, encodeText, lineAt, readableText, splitLines } from '../host/text-file.ts';
import { notFoundRefusal, severalRefusal } from './edit-refusal.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { placeText, type Placement, type Span, withoutOverlaps } from './find-text.ts';
import { pathFault } from './path-input.ts';

const DESCRIPTION = `Replaces one piece of a text file: old_string, which must stand there exactly once, becomes new_string.
Use it for any change of an existing file; for a new file or a complete rewrite use WriteFile. Look at the place with ReadFile first.
old_string is compared character by character: take it from the file as it is, with its indentation and without the line numbers of ReadFile. Where it occurs several times, add surrounding lines until it occurs once, or set replace_all to change every one.
An empty new_string deletes exactly old_string. All other bytes stay as they are, with the file's encoding and line ends.
Returns the changed place with a few numbered lines around it. When old_string is not found nothing is changed, and the answer shows the closest place.`;

const INPUT = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Absolute path of the file.' },
    old_string: {
      type: 'string',
      description: 'The text to replace, exactly as it stands in the file. Must be unique unless replace_all is set.',
    },
    new_string: { type: 'string', description: 'The text to put in its place. Empty deletes.' },
    replace_all: { type: 'boolean', description: 'Replace every occurrence. Default false.' },
  },
  required: ['path', 'old_string', 'new_string'],
  additionalProperties: false,
} as const;

interface EditInput {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export interface EditFileMetadata {
  readonly path: string;
  readonly replacements: number;
  readonly matched: Placement['how'];
  readonly firstLine: number;
  /** The changed lines before and after, for showing a diff. */
  readonly before: string;
  readonly after: string;
}

const AROUND_LINES = 3;
const MAX_SHOWN_LINES = 40;
const MAX_DIFF_CHARS = 20_000;

/** Replaces one piece of a file. */
export function createEditFileTool(): Tool<EditInput, EditFileMetadata> {
  return defineTool({
    name: 'EditFile',
    description: DESCRIPTION,
    inputSchema: INPUT,
    category: 'file',
    aliases: {
      snakeCase: 'patch_file',
      keys: {
        file_path: 'path',
        filePath: 'path',
        file: 'path',
        old_str: 'old_string',
        new_str: 'new_string',
        oldString: 'old_string',
        newString: 'new_string',
        replaceAll: 'replace_all',
      },
      pathKeys: ['path'],
    },
    isReadOnly: false,
    isDestructive: false,
    validateInput: (input, facts) => pathFault('path', input.path, facts) ?? editFault(input),
    footprint: ({ path }) => ({ extent: 'listed', reads: [{ kind: 'file', path }], writes: [{ kind: 'file', path }] }),
    subject: ({ path }) => path,
    execute: async ({ files }, input) => {
      try {
        return await edit(files, input);
      } catch (thrown) {
        return failForFile(files, input.path, thrown);
      }
    },
  });
}

function editFault({ old_string: oldText, new_string: newText }: EditInput): string | null {
  if (oldText === '')
    return '"old_string" is empty. Give the text to replace; to write a new file or fill an empty one use WriteFile.';
  if (oldText === newText) return '"old_string" and "new_string" are the same, so nothing would change.';
  if (!oldText.isWellFormed() || !newText.isWellFormed()) {
    return '"old_string" or "new_string" holds half of a character (a lone surrogate), which no file can hold. Send whole characters.';
  }
  return null;
}

async function edit(files: FileAccess, input: EditInput): Promise<ToolResult<EditFileMetadata>> {
  const { path } = input;
  const fault = notRegular(path, await files.stat(path));
  if (fault !== null) return fail(fault);
  const bytes = await files.read(path);
  const file = decodeText(bytes);
  if (file === null)
    return fail(`${path} is a binary file (it holds NUL bytes); EditFile changes text only. Nothing was changed.`);
  const placement = placeText(file.text, input.old_string, input.new_string);
  const { spans } = placement;
  if (spans.length === 0) return fail(notFoundRefusal(path, file.text, input.old_string, input.new_string));
  if (spans.length > 1 && input.replace_all !== true) return fail(severalRefusal(path, file.text, spans));
  const change = applyAt(file.text, placement, withoutOverlaps(spans));
  const version = shortHash(bytes);
  const written = await files.replace(path, encodeText(change.text, file), version);
  if (files.seen(path) === version) files.noteSeen(path, written);
  return succeed(describe(path, placement, change), metadata(path, placement, file.text, change));
}

interface Change {
  readonly text: string;
  /** Where the pieces stood, and where they stand now. */
  readonly old: readonly Span[];
  readonly now: readonly Span[];
}

function applyAt(text: string, placement: Placement, old: readonly Span[]): Change {
  const pieces: string[] = [];
  const now: Span[] = [];
  let at = 0;
  let length = 0;
  for (const span of old) {
    const replacement = placement.replacement(span);
    const kept = text.slice(at, span.start);
    pieces.push(kept, replacement);
    length += kept.length;
    now.push({ start: length, end: length + replacement.length });
    length += replacement.length;
    at = span.end;
  }
  return { text: pieces.join('') + text.slice(at), old, now };
}

function describe(path: string, { how }: Placement, change: Change): string {
  const count = change.now.length;
  const first = change.now[0] ?? { start: 0, end: 0 };
  const matched = how === 'exact' ? '' : ' (matched with line ends folded; the lines keep their own)';
  const head = `Edited ${path}: ${count === 1 ? 'one place' : `${count} places`}${matched}.`;
  const notes = leavesEmptyLine(change.text, first) ? ' An empty line stays where the text was deleted.' : '';
  const more = count === 1 ? '' : `\nThe first of them:`;
  return `${head}${notes}${more}\n${surroundings(change.text, first)}`;
}

function leavesEmptyLine(text: string, { start, end }: Span): boolean {
  return start === end && (start === 0 || text[start - 1] === '\n') && /^\r?\n/.test(text.slice(end, end + 2));
}

function surroundings(text: string, { start, end }: Span): string {
  const lines = splitLines(text);
  const first = Math.max(1, lineAt(text, start) - AROUND_LINES);
  const last = Math.min(lines.length, lineAt(text, end) + AROUND_LINES, first + MAX_SHOWN_LINES);
  return lines
    .slice(first - 1, last)
    .map((line, i) => `${first + i}\t${shorten(readableText(line))}`)
    .join('\n');
}

function shorten(line: string): string {
  return line.length > 500 ? `${[...line].slice(0, 500).join('')}…` : line;
}

function metadata(path: string, { how }: Placement, oldText: string, change: Change): EditFileMetadata {
  const [before, after] = [
    oldText.slice(change.old[0]?.start, change.old[0]?.end),
    change.text.slice(change.now[0]?.start, change.now[0]?.end),
  ];
  return {
    path,
    replacements: change.now.length,
    matched: how,
    firstLine: lineAt(change.text, change.now[0]?.start ?? 0),
    before: readableText(before.slice(0, MAX_DIFF_CHARS)),
    after: readableText(after.slice(0, MAX_DIFF_CHARS)),
  };
}
