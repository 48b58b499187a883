// A tool of one's own for any client of the Model Context Protocol, on stdin and stdout. Needs @modelcontextprotocol/server.
import { createMemoryBackend, createRegistry, createToolbox, defineTool, succeed, type Toolbox } from 'wield';
import { serveMCP } from 'wield/mcp';

/** A toolbox with one tool, which counts words. */
export function wordTools(): Toolbox {
  const countWords = defineTool({
    name: 'CountWords',
    description: 'Returns how many words a text has. Use it in place of counting by yourself.',
    inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'The text.' } }, required: ['text'] },
    isReadOnly: true,
    execute: async (_context, { text }) => succeed(String(text.split(/\s+/).filter((word) => word !== '').length)),
  });
  return createToolbox({ backend: createMemoryBackend(), registry: createRegistry().register(countWords) });
}

if (import.meta.main) {
  await using toolbox = wordTools();
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  await serveMCP(toolbox, { input: process.stdin, output: process.stdout, signal: stop.signal, name: 'words', version: '1.0.0' });
}
