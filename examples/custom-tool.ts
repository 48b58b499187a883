// Two tools of one's own: one by a literal JSON Schema, one by a schema of Zod, each with its input typed.
import {
  collectRun,
  createAgent,
  createMemoryBackend,
  createRegistry,
  createScriptedProvider,
  defineTool,
  fail,
  setupTools,
  succeed,
} from 'wield';
import { z } from 'zod';

const now = defineTool({
  name: 'Now',
  description: 'Returns the current time in UTC. Takes no input.',
  inputSchema: { type: 'object', properties: {} },
  isReadOnly: true,
  execute: async () => succeed(new Date().toISOString()),
});

const prices: Readonly<Record<string, number>> = { apple: 3, pear: 4 };

const priceOf = defineTool({
  name: 'PriceOf',
  description: 'Returns what a fruit costs in cents. Use it for each fruit in a question about money.',
  inputSchema: z.object({ fruit: z.string().describe('One fruit, in the singular.') }),
  isReadOnly: true,
  isConcurrencySafe: true,
  // What an error says is all that the model can go by: what happened, and what to do next.
  execute: async (_context, { fruit }) => {
    const price = prices[fruit];
    return price === undefined
      ? fail(`There is no ${fruit}. There are: ${Object.keys(prices).join(', ')}.`)
      : succeed(`${price} cents`);
  },
});

/** An agent that knows the time and the prices. */
export async function askShop(prompt: string): Promise<string> {
  const provider = createScriptedProvider([
    { calls: [{ name: 'Now' }, { name: 'PriceOf', input: { fruit: 'apple' } }, { name: 'PriceOf', input: { fruit: 'fig' } }] },
    ({ messages }) => ({ text: `It says: ${JSON.stringify(messages.at(-1)?.content)}` }),
  ]);
  const registry = setupTools(createRegistry()).register(now).register(priceOf);
  await using agent = createAgent({ provider, backend: createMemoryBackend(), registry });
  const { text } = await collectRun(agent.run(prompt));
  return text;
}

if (import.meta.main) console.log(await askShop('What does fruit cost now?'));
