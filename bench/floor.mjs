// The floor: the least a Node agent can do. One file, no dependencies, three tools; no settings, permissions, session or interface.
// Not a product: `bench/run.ts` divides by it. Usage: ANTHROPIC_BASE_URL=… node floor.mjs PROMPT

// Not `import 'node:http'`: an ES import reads every export and so loads all of undici.
const http = process.getBuiltinModule('node:http');
const files = process.getBuiltinModule('node:fs');

const tools = {
  read: {
    takes: ['path'],
    run: ({ path }) => files.readFileSync(path, 'utf8'),
  },
  edit: {
    takes: ['path', 'old_text', 'new_text'],
    run: ({ path, old_text: oldText, new_text: newText }) => {
      const pieces = files.readFileSync(path, 'utf8').split(oldText);
      if (pieces.length !== 2) return `old_text occurs ${pieces.length - 1} times`;
      files.writeFileSync(path, pieces.join(newText));
      return 'edited';
    },
  },
  bash: {
    takes: ['command'],
    run: ({ command }) =>
      new Promise((resolve) => {
        const { execFile } = process.getBuiltinModule('node:child_process');
        execFile('/bin/sh', ['-c', command], (error, out, err) => resolve(`${out}${err}${error ? error.message : ''}`));
      }),
  },
};

const endpoint = new URL('/v1/messages', process.env.ANTHROPIC_BASE_URL);
const connection = new http.Agent({ keepAlive: true });
const opening = JSON.stringify({
  model: 'floor',
  max_tokens: 8000,
  stream: true,
  tools: Object.entries(tools).map(([name, { takes }]) => ({
    name,
    description: name,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(takes.map((key) => [key, { type: 'string' }])),
      required: takes,
    },
  })),
}).slice(0, -1);
// Each message is serialised once; a body is a join.
const history = [];

function remember(role, content) {
  history.push(JSON.stringify({ role, content }));
}

/** Sends the history and resolves to the blocks of the answer. */
function ask() {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = http.request(endpoint, { method: 'POST', agent: connection, headers }, (response) => {
      const blocks = [];
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) if (line.startsWith('data: ')) take(blocks, JSON.parse(line.slice(6)));
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(blocks) : reject(new Error(rest))));
    });
    outgoing.on('error', reject);
    outgoing.end(`${opening},"messages":[${history.join(',')}]}`);
  });
}

function take(blocks, { type, index, content_block: block, delta }) {
  if (type === 'content_block_start') blocks[index] = block.type === 'tool_use' ? { ...block, input: '' } : block;
  else if (type === 'content_block_delta') {
    if (delta.type === 'input_json_delta') blocks[index].input += delta.partial_json;
    else blocks[index].text += delta.text;
  } else if (type === 'content_block_stop' && blocks[index].type === 'tool_use')
    blocks[index].input = JSON.parse(blocks[index].input);
}

async function answer({ id, name, input }) {
  return { type: 'tool_result', tool_use_id: id, content: await tools[name].run(input) };
}

remember('user', [{ type: 'text', text: process.argv[2] }]);
for (;;) {
  const blocks = await ask();
  remember('assistant', blocks);
  const calls = blocks.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) {
    process.stdout.write(`${blocks.map((block) => block.text).join('')}\n`);
    process.exit(0);
  }
  remember('user', await Promise.all(calls.map(answer)));
}
