import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inspectCommand } from '../src/shell/inspect.ts';
import type { ShellFacts } from '../src/shell/report.ts';

/** Where the recorded commands were run, as far as it is told. */
export const RECORDED_FACTS: ShellFacts = { cwd: '/home/user/project', home: '/home/user' };

/** The shell commands of real sessions, from the folder of recorded cases. */
export function recordedCommands(folder: string): readonly string[] {
  return gunzipSync(readFileSync(join(folder, 'calls.jsonl.gz')))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly tool: string; readonly input: { readonly command: string } })
    .filter(({ tool }) => tool === 'Bash')
    .map(({ input }) => input.command);
}

/** True for a command that passes as a pure read, wherever its paths lead. */
export function onlyReads(command: string): boolean {
  const report = inspectCommand(command, RECORDED_FACTS);
  return report.isClear && report.parts.every(({ effect }) => effect === 'reads');
}

/** Draws by a fixed course of numbers, so that the same seed draws the same commands. */
export function drawn(commands: readonly string[], count: number, seed: number): readonly string[] {
  let state = seed;
  const left = [...commands];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return left.splice(state % left.length, 1)[0] ?? '';
  });
}
