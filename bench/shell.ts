import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inspectCommand } from '../src/shell/inspect.ts';

/** Prints what share of recorded commands only reads, and the time that it takes to tell. `--sample 300 7 FILE` writes so many of them, drawn by a seed. */

const RECORDS = join(import.meta.dirname, '../../shared/cases/calls.jsonl.gz');
const FACTS = { cwd: '/home/user/project', home: '/home/user' };

if (existsSync(RECORDS)) measure(recordedCommands());
else process.stdout.write('The recorded commands are absent (../shared/cases).\n');

function recordedCommands(): readonly string[] {
  return gunzipSync(readFileSync(RECORDS))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly tool: string; readonly input: { readonly command: string } })
    .filter(({ tool }) => tool === 'Bash')
    .map(({ input }) => input.command);
}

function measure(commands: readonly string[]): void {
  const readers = commands.filter(onlyReads);
  const times = commands.map(timeOf).toSorted((a, b) => a - b);
  const at = (share: number): string => ((times[Math.floor(times.length * share)] ?? 0) * 1000).toFixed(0);
  const share = ((100 * readers.length) / commands.length).toFixed(1);
  process.stdout.write(`${commands.length} commands, ${share} % only read, p50 ${at(0.5)} µs, p99 ${at(0.99)} µs\n`);
  const [flag, count, seed, file] = process.argv.slice(2);
  if (flag === '--sample' && file !== undefined) writeFileSync(file, drawn(readers, Number(count), Number(seed)).join('\n---\n'));
}

function onlyReads(command: string): boolean {
  const report = inspectCommand(command, FACTS);
  return report.isClear && report.parts.every(({ effect }) => effect === 'reads');
}

function timeOf(command: string): number {
  const start = performance.now();
  inspectCommand(command, FACTS);
  return performance.now() - start;
}

/** Draws by a fixed course of numbers, so that the same seed draws the same commands. */
function drawn(commands: readonly string[], count: number, seed: number): readonly string[] {
  let state = seed;
  const left = [...commands];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return left.splice(state % left.length, 1)[0] ?? '';
  });
}
