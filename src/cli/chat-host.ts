import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatHost } from '../ui/chat/terminal-port.ts';

/** What the chat uses of this machine besides the terminal. Nothing of it is loaded before it is used. */
export function createChatHost(cwd: string): ChatHost {
  const history = (async () => {
    const [{ openPromptHistory }, { userFolders }] = await Promise.all([
      import('../app/prompt-history.ts'),
      import('../app/user-folders.ts'),
    ]);
    return openPromptHistory(userFolders(process.env), cwd);
  })();
  return {
    now: () => Date.now(),
    loadHistory: async () => (await history).load(),
    addHistory: (text) => void history.then((opened) => opened.add(text)),
    listFiles: async () => (await import('../app/project-files.ts')).projectFiles(cwd),
    readText: async (path) => (await import('./text-file.ts')).plainText(path),
    readImage: async (path) =>
      (await import('../app/read-image.ts')).readImage(path.replace(/^~(?=\/)/, process.env['HOME'] ?? '~'), cwd),
    clipboardImage: async () => (await import('./clipboard-image.ts')).clipboardImage(process.env),
    editText: (text) => editText(text, process.env['VISUAL'] ?? process.env['EDITOR'] ?? 'vi'),
  };
}

/** Null where the editor could not be started or did not end well. */
async function editText(text: string, editor: string): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'wield-edit-'));
  const path = join(folder, 'prompt.md');
  try {
    await writeFile(path, text, { mode: 0o600 });
    // The variable may hold arguments, as git and others take it.
    const exitCode = await new Promise<number | null>((resolve) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
      child.on('error', () => resolve(null));
      child.on('close', resolve);
    });
    return exitCode === 0 ? await readFile(path, 'utf8') : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
