import { join } from 'node:path';
import {
  collectRun,
  createAgent,
  createMemoryBackend,
  createRegistry,
  createScriptedProvider,
  setupTools,
} from '../src/index.ts';

/** A whole session on memory: it prints what the model was told, and the files at the end. */
const at = (name: string): string => join('/project', name);
const backend = createMemoryBackend({
  files: { 'src/a.ts': 'const one = 1;\n', '.gitignore': 'out\n' },
  runCommand: async ({ command, write }) => {
    write(`ran ${command}\n`);
    return 0;
  },
});
const patch = `*** Begin Patch\n*** Add File: ${at('c.txt')}\n+gamma\n*** End Patch`;
const provider = createScriptedProvider([
  {
    calls: [
      { name: 'Glob', input: { pattern: '**/*' } },
      { name: 'Grep', input: { pattern: 'on\\w' } },
    ],
  },
  { calls: [{ name: 'EditFile', input: { path: at('src/a.ts'), old_string: '= 1', new_string: '= 2' } }] },
  {
    calls: [
      { name: 'WriteFile', input: { path: at('b.txt'), content: 'x'.repeat(150_000) } },
      { name: 'ApplyPatch', input: { patch } },
    ],
  },
  {
    calls: [
      { name: 'Bash', input: { command: 'npm test' } },
      { name: 'ReadFile', input: { path: at('src/a.ts') } },
    ],
  },
  { text: 'done' },
]);
const registry = setupTools(createRegistry(), { allowWrite: true, allowBash: true, allowApplyPatch: true });
const permissions = { mode: 'acceptEdits', allow: ['Bash(npm test)'] } as const;
const agent = createAgent({ provider, backend, registry, permissions });
const results: { readonly name: string; readonly isError: boolean }[] = [];
const { text, errors } = await collectRun(agent.run('go'), (event) => {
  if (event.type === 'tool_result') results.push({ name: event.name, isError: event.result.isError });
});
await agent.close();
process.stdout.write(JSON.stringify({ text, errors, results, files: Object.keys(backend.files.texts()) }));
