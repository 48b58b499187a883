// What a user of the package writes: compiled against its types, then run on each version of Node.
import * as adapters from 'wield/adapters';
import * as backends from 'wield/backends';
import * as mcp from 'wield/mcp';
import * as permissions from 'wield/permissions';
import * as providers from 'wield/providers';
import * as sessions from 'wield/sessions';
import * as tools from 'wield/tools';
import {
  collectRun,
  createAgent,
  createMemoryBackend,
  createRegistry,
  createScriptedProvider,
  createToolbox,
  defineTool,
  setupTools,
  succeed,
} from 'wield';

const shout = defineTool({
  name: 'Shout',
  description: 'Returns a text in capitals.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  isReadOnly: true,
  execute: async (_context, { text }) => succeed(text.toUpperCase()),
});
const registry = setupTools(createRegistry(), { allowBash: true }).register(shout);
const provider = createScriptedProvider([
  {
    calls: [
      { name: 'Shout', input: { text: 'hi' } },
      { name: 'Grep', input: { pattern: '54\\d+' } },
    ],
  },
  { text: 'Port 5433.' },
]);
const agent = createAgent({ provider, registry, backend: createMemoryBackend({ files: { 'a.json': '{ "port": 5433 }' } }) });
const { text } = await collectRun(agent.run('What port?'));
await agent.close();

const local = createToolbox({ cwd: process.cwd(), permissions: { allow: ['Bash(node --version)'], acceptUnsandboxed: true } });
const read = await local.call('Grep', { pattern: 'What a user', glob: 'use.ts' });
await local.close();

const rooms = { adapters, backends, mcp, permissions, providers, sessions, tools };
const names = Object.entries(rooms).map(([room, all]) => `${room} ${Object.keys(all).length > 0}`);
process.stdout.write(JSON.stringify({ text, read: read.content[0], names }));
