import type { ToolContext } from '../../src/core/tool.ts';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createEditFileTool } from '../../src/tools/edit-file.ts';

// Edits its own lines of a file that others edit too, one after the other, and prints those that it was told have arrived.
const [path = '', journalFolder = '', first = '', count = ''] = process.argv.slice(2);
// EditFile uses nothing of its surroundings but the files.
const context = { files: createLocalFiles({ tracksSeen: false, journalFolder }) } as unknown as ToolContext;
const edit = createEditFileTool().execute;
for (let line = Number(first); line < Number(first) + Number(count); line++) {
  const { isError } = await edit(context, { path, old_string: `line ${line} old\n`, new_string: `line ${line} new\n` });
  if (!isError) process.stdout.write(`${line}\n`);
}
