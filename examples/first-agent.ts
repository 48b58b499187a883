// An agent in a folder of this machine. The demo model needs no key; with one, name any other: anthropic/claude-opus-5-5.
import { collectRun, createAgent, createProvider } from 'wield';

/** Asks about a folder and gives the answer. Nothing is changed: without permissions an agent only reads. */
export async function firstAgent(cwd: string, prompt: string): Promise<string> {
  const provider = await createProvider('demo');
  await using agent = createAgent({ provider, cwd });
  const { text } = await collectRun(agent.run(prompt));
  return text;
}

if (import.meta.main) console.log(await firstAgent(process.cwd(), process.argv[2] ?? 'what is in package.json?'));
