import { createLocalFiles } from '../../src/host/files/local-files.ts';
import { createWriteFileTool } from '../../src/tools/write-file.ts';
import type { ToolContext } from '../../src/core/tool.ts';

// Writes a file again and again, each time whole with another letter, until it is killed.
const [path = '', size = '0'] = process.argv.slice(2);
const tool = createWriteFileTool();
// WriteFile uses nothing of its surroundings but the files.
const context = { files: createLocalFiles({ tracksSeen: false }) } as unknown as ToolContext;
process.stdout.write('ready\n');
for (let round = 0; ; round++) {
  await tool['execute'](context, { path, content: String.fromCharCode(98 + (round % 20)).repeat(Number(size)) });
}
