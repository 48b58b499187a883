import { defineTool } from '../core/define-tool.ts';
import { shortHash } from '../core/hash.ts';
import { type FileAccess, FileConflict } from '../core/ports.ts';
import type { Tool } from '../core/tool.ts';
import { fail, succeed, type ToolResult } from '../core/tool-result.ts';
import { changeText, decodeText } from '../host/text/text-file.ts';
import { describeEdit, type EditFacts, factsOfEdit } from './edit-answer.ts';
import { notFoundRefusal, severalRefusal } from './edit-refusal.ts';
import { failForFile, notRegular } from './file-faults.ts';
import { MAX_OCCURRENCES, placeText, withoutOverlaps } from './find-text.ts';
import type { Placement } from './placement.ts';
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

export interface EditFileMetadata extends EditFacts {
  readonly path: string;
  readonly matched: Placement['how'];
}

// Calls by two names of one file (hard links) run side by side, and of those that meet all but one have to try again.
const MAX_ATTEMPTS = 20;
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
  if (spans.length > MAX_OCCURRENCES)
    return fail(
      `old_string occurs more than ${MAX_OCCURRENCES} times in ${path}; nothing was changed. Change it with Bash (sed -i).`,
    );
  const changes = withoutOverlaps(spans).map((span) => ({ ...span, replacement: placement.replacement(span) }));
  const changed = await changeText(file, changes);
  if ('problem' in changed)
    return fail(`${path} was not changed: ${changed.problem}. Use text that it can hold, or convert the file first.`);
  const version = shortHash(bytes);
  const known = files.seen(path);
  const written = await files.replace(path, changed.pieces, version);
  if (known === version) files.noteSeen(path, written);
  const stale = known !== null && known !== version ? STALE : '';
  return succeed(describeEdit(path, placement.how, { text: file.text, changes }) + stale, {
    path,
    matched: placement.how,
    ...factsOfEdit({ text: file.text, changes }),
  });
}

const STALE =
  '\nThe file had changed since you read it; old_string still stood there once. Read the rest again before you rely on it.';
