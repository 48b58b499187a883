import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { checkInput } from '../../core/check-input.ts';
import { messageOf } from '../../core/errors.ts';
import type { JsonSchema } from '../../core/json-schema.ts';

/** What a thread is to check. */
export interface CheckJob {
  readonly schema: JsonSchema;
  readonly input: unknown;
}

/** What a thread tells: that it begins, and what it found. */
export type CheckMessage = { readonly type: 'begins' } | { readonly type: 'found'; readonly problem: string | null };

const START_MS = 15_000;
const CHECK_MS = 1000;
/** With these a check can take for ever: expressions that go back, references that multiply, and items each compared with all others. */
const COSTLY = /"(?:pattern|patternProperties|format|uniqueItems|unevaluated\w+|\$ref|\$dynamicRef|\$recursiveRef)":/;
/** With any others it looks at each part of the input once for each part of the schema, at most. */
const MAX_STEPS = 20_000_000;

/**
 * Checks an input against a schema from somewhere else. What the check could get stuck on runs in a thread with a deadline; an input that
 * cannot be checked in time goes to the server as it is, which checks what it takes itself.
 */
export async function checkForeignInput(
  schema: JsonSchema,
  input: unknown,
): Promise<{ readonly input: unknown } | { readonly problem: string }> {
  try {
    const text = JSON.stringify(schema);
    const isCostly = COSTLY.test(text) || text.length * JSON.stringify(input).length > MAX_STEPS;
    const problem = isCostly ? await checkInThread({ schema, input }) : await checkInput(schema, input);
    return problem === null ? { input } : { problem };
  } catch (thrown) {
    return { problem: `its input cannot be checked against the schema of its server: ${messageOf(thrown)}` };
  }
}

async function checkInThread(job: CheckJob): Promise<string | null> {
  // Its neighbour is .ts in the sources and .js in what is built of them.
  const entry = new URL(`./schema-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, { workerData: job, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 128 } });
  const end = (): void => void worker.terminate();
  let deadline = setTimeout(end, START_MS);
  let problem: string | null = null;
  worker.on('message', (message: CheckMessage) => {
    if (message.type === 'found') problem = message.problem;
    // To start a thread takes a while on a busy machine; the check itself takes none.
    clearTimeout(deadline);
    deadline = setTimeout(end, CHECK_MS);
  });
  try {
    await once(worker, 'exit');
    return problem;
  } finally {
    clearTimeout(deadline);
  }
}
