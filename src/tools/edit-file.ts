import { defineTool } from '../core/define-tool.ts';
import { shortHash } from '../core/hash.ts';
import { type FileAccess, FileConflict } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { applyChanges, changeText, decodeText, lineAt, readableText, type TextChange } from '../host/text-file.ts';
import { notFoundRefusal, severalRefusal } from './edit-refusal.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { placeText, withoutOverlaps } from './find-text.ts';
import type { Placement, Span } from './placement.ts';
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
const MAX_ATTEMPTS = 5;
// A string can hold no more than about twice as much. Source: node:buffer, constants.MAX_STRING_LENGTH
const MAX_EDIT_BYTES = 256 * 1024 * 1024;

/** Replaces one piece of a file. With `exactEdits` old_string must stand there character by character. */
export function createEditFileTool({
  exactEdits = false,
}: {
  readonly exactEdits?: boolean;
} = {}): Tool<EditInput, EditFileMetadata> {
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
        return await editFresh(files, input, exactEdits);
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

/** Where another write came between reading and writing, the edit is worked out again on what is there now. */
async function editFresh(files: FileAccess, input: EditInput, exactEdits: boolean): Promise<ToolResult<EditFileMetadata>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await edit(files, input, exactEdits);
    } catch (thrown) {
      if (!(thrown instanceof FileConflict) || attempt === MAX_ATTEMPTS) throw thrown;
    }
  }
}

async function edit(files: FileAccess, input: EditInput, exactEdits: boolean): Promise<ToolResult<EditFileMetadata>> {
  const { path } = input;
  const stat = await files.stat(path);
  const fault = notRegular(path, stat);
  if (fault !== null) return fail(fault);
  if (stat.sizeBytes > MAX_EDIT_BYTES)
    return fail(`${path} has ${stat.sizeBytes} bytes; EditFile takes up to ${MAX_EDIT_BYTES}. Change it with Bash (sed -i).`);
  const bytes = await files.read(path);
  const file = await decodeText(bytes);
  if (file === null)
    return fail(`${path} is a binary file (it holds NUL bytes); EditFile changes text only. Nothing was changed.`);
  const placement = placeText(file.text, input.old_string, input.new_string, exactEdits);
  const { spans } = placement;
  if (spans.length === 0) return fail(notFoundRefusal(path, file.text, input.old_string, input.new_string));
  if (spans.length > 1 && input.replace_all !== true) return fail(severalRefusal(path, file.text, spans));
  const changes = withoutOverlaps(spans).map((span) => ({ ...span, replacement: placement.replacement(span) }));
  const changed = await changeText(file, changes);
  if ('problem' in changed)
    return fail(`${path} was not changed: ${changed.problem}. Use text that it can hold, or convert the file first.`);
  const version = shortHash(bytes);
  const known = files.seen(path);
  const written = await files.replace(path, changed.bytes, version);
  if (known === version) files.noteSeen(path, written);
  const text = applyChanges(file.text, changes);
  const stale = known !== null && known !== version ? STALE : '';
  return succeed(
    describe(path, placement, { text, changes }) + stale,
    metadata(path, placement, { oldText: file.text, text, changes }),
  );
}

const STALE =
  '\nThe file had changed since you read it; old_string still stood there once. Read the rest again before you rely on it.';

interface Change {
  readonly text: string;
  readonly changes: readonly TextChange[];
}

/** Where the first change stands now. */
function firstPlace([first]: readonly TextChange[]): Span {
  return first === undefined ? { start: 0, end: 0 } : { start: first.start, end: first.start + first.replacement.length };
}

const MATCHED: Record<Placement['how'], string> = {
  exact: '',
  'line-ends': ' (matched with line ends folded; the lines keep their own)',
  indentation: ' (matched with its indentation shifted; new_string was shifted alike)',
};

function describe(path: string, { how }: Placement, { text, changes }: Change): string {
  const place = firstPlace(changes);
  const head = `Edited ${path}: ${changes.length === 1 ? 'one place' : `${changes.length} places`}${MATCHED[how]}.`;
  if (text === '') return `${head} The file is empty now.`;
  const notes = leavesEmptyLine(text, place) ? ' An empty line stays where the text was deleted.' : '';
  const more = changes.length === 1 ? '' : '\nThe first of them:';
  return `${head}${notes}${more}\n${surroundings(text, place)}`;
}

function leavesEmptyLine(text: string, { start, end }: Span): boolean {
  return start === end && (start === 0 || text[start - 1] === '\n') && /^\r?\n/.test(text.slice(end, end + 2));
}

/** The lines of a place and a few around it, without splitting all of a large text. */
function surroundings(text: string, { start, end }: Span): string {
  const from = lineStartAbove(text, start);
  const lines = text.slice(from, lineEndBelow(text, end)).split('\n');
  const first = lineAt(text, from);
  return lines
    .slice(0, MAX_SHOWN_LINES)
    .map((line, i) => `${first + i}\t${shorten(readableText(line.replace(/\r$/, '')))}`)
    .join('\n');
}

function lineStartAbove(text: string, offset: number): number {
  let newline = offset;
  for (let lines = 0; lines <= AROUND_LINES; lines++) {
    newline = newline <= 0 ? -1 : text.lastIndexOf('\n', newline - 1);
    if (newline === -1) return 0;
  }
  return newline + 1;
}

function lineEndBelow(text: string, offset: number): number {
  let end = offset - 1;
  for (let lines = 0; lines <= AROUND_LINES; lines++) {
    const next = text.indexOf('\n', end + 1);
    if (next === -1) return text.endsWith('\n') ? text.length - 1 : text.length;
    end = next;
  }
  return end;
}

function shorten(line: string): string {
  return line.length > 500 ? `${[...line].slice(0, 500).join('')}…` : line;
}

function metadata(
  path: string,
  { how }: Placement,
  { oldText, text, changes }: Change & { readonly oldText: string },
): EditFileMetadata {
  const place = firstPlace(changes);
  return {
    path,
    replacements: changes.length,
    matched: how,
    firstLine: lineAt(text, place.start),
    before: readableText(oldText.slice(changes[0]?.start, changes[0]?.end).slice(0, MAX_DIFF_CHARS)),
    after: readableText(text.slice(place.start, place.end).slice(0, MAX_DIFF_CHARS)),
  };
}
