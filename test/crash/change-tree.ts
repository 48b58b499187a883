import type { ToolContext } from '../../src/core/tool.ts';
import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createApplyPatchTool } from '../../src/tools/apply-patch.ts';
import { createWriteFileTool } from '../../src/tools/write-file.ts';

// One change of a tree: a patch of five files, or one write.
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
const result =
  what === 'patch' ? await patch(context, { patch: PATCH }) : await write(context, { path: `${root}/a.txt`, content: 'A\n' });
process.stdout.write(`${JSON.stringify(result.isError)}\n`);
