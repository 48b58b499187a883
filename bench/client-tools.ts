import { join } from 'node:path';
import type { Step } from './scenarios.ts';

/** A tool as a client offers it to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly input_schema: { readonly properties?: Readonly<Record<string, unknown>> };
}

/** A step in the client's own words: a call of one of the tools that its request offers. Errors: throws where none fits. */
export function callFor(step: Step, tools: readonly OfferedTool[], folder: string): { name: string; input: object } {
  switch (step.act) {
    case 'read':
      return call(tools, /^read/i, [[/path|file/i, join(folder, step.file)]]);
    case 'edit':
      return call(tools, /^edit/i, [
        [/path|file/i, join(folder, step.file)],
        [/^old/i, step.from],
        [/^new/i, step.to],
      ]);
    case 'shell':
      return call(tools, /^bash/i, [[/^command/i, step.command]]);
  }
}

function call(tools: readonly OfferedTool[], named: RegExp, fill: readonly (readonly [RegExp, string])[]) {
  const tool = found(tools, ({ name }) => named.test(name), named);
  const keys = Object.keys(tool.input_schema.properties ?? {});
  const input = Object.fromEntries(fill.map(([key, value]) => [found(keys, (name) => key.test(name), key), value]));
  return { name: tool.name, input };
}

function found<T>(candidates: readonly T[], fits: (candidate: T) => boolean, wanted: RegExp): T {
  const match = candidates.find(fits);
  if (match === undefined) throw new Error(`the client offers nothing like ${wanted}: ${JSON.stringify(candidates)}`);
  return match;
}
