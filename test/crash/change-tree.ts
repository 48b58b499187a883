import { textOf } from '../../src/core/message.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import { succeed, type ToolResult } from '../../src/core/tool-result.ts';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createApplyPatchTool } from '../../src/tools/apply-patch.ts';
import { createWriteFileTool } from '../../src/tools/write-file.ts';

// One change of a tree: a patch of five files, one write, one write of a file with two names, or what a start does by itself.
const [root = '', journalFolder = '', what = ''] = process.argv.slice(2);
// These tools use nothing of their surroundings but the files and the folder.
const context = { cwd: root, files: createLocalFiles({ tracksSeen: false, journalFolder }) } as unknown as ToolContext;

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-a
+A
*** Update File: linked.txt
@@
-linked
+LINKED, and longer than before
*** Delete File: gone.txt
*** Update File: old-name.txt
*** Move to: deep/new-name.txt
@@
-moved
+MOVED
*** Add File: added.txt
+added
*** End Patch`;

const patch = createApplyPatchTool().execute;
const write = createWriteFileTool().execute;
const text = 'LINKED, and longer than before\n';
const CHANGES: Readonly<Record<string, () => Promise<ToolResult>>> = {
  patch: () => patch(context, { patch: PATCH }),
  write: () => write(context, { path: `${root}/a.txt`, content: 'A\n' }),
  'write of a linked file': () => write(context, { path: `${root}/linked.txt`, content: text }),
  recovery: async () => {
    await context.files.list(root);
    return succeed('settled', {});
  },
};
const result = await CHANGES[what]?.();
process.stdout.write(`${result?.isError}: ${textOf(result?.content ?? [])}\n`);
