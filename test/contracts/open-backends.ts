import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileSearch } from '../../src/backends/file-search.ts';
import type { RunCommand } from '../../src/backends/memory-shell.ts';
import { createLocalBackend, createMemoryBackend, type Backend } from '../../src/index.ts';

/** A backend under test, with an empty project in it. */
export interface OpenedBackend {
  readonly backend: Backend;
  close(): Promise<void>;
}

/** Every backend that the contract holds for. */
export const BACKENDS: Readonly<Record<string, () => Promise<OpenedBackend>>> = {
  'this machine': openLocal,
  'this machine, searched by the plain search': async () => {
    const { backend, close } = await openLocal();
    return { backend: { ...backend, search: createFileSearch(backend.files) }, close };
  },
  memory: async () => {
    const backend = createMemoryBackend({ runCommand });
    return { backend, close: () => backend.close() };
  },
};

async function openLocal(): Promise<OpenedBackend> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wield-contract-')));
  const cwd = join(folder, 'project');
  mkdirSync(cwd);
  const environment = { ...process.env, HOME: join(folder, 'home'), XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' };
  const backend = createLocalBackend({ cwd, environment, sandbox: 'danger-full-access' });
  return {
    backend,
    close: async () => {
      await backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As much of a shell as the cases use. */
const runCommand: RunCommand = async ({ command, cwd, files, signal, write }) => {
  let status = 0;
  for (const [name = '', ...words] of command.split('; ').map((part) => part.split(' '))) {
    if (name === 'echo') write(`${words.join(' ').replace(' >&2', '')}\n`);
    else if (name === 'cat') write(Buffer.from(await files.read(join(cwd, words[0] ?? ''))).toString('utf8'));
    else if (name === 'seq') write(`${Array.from({ length: Number(words[1]) }, (_, i) => i + 1).join('\n')}\n`);
    else if (name === 'sleep') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    else if (name === 'exit') status = Number(words[0]);
    else throw new Error(`${name}: command not found`);
  }
  return status;
};
