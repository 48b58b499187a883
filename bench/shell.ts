import { writeFileSync } from 'node:fs';
import { inspectCommand } from '../src/shell/inspect.ts';
import { recordedCases } from '../test/recorded-cases.ts';
import { drawn, onlyReads, RECORDED_FACTS, recordedCommands } from '../test/recorded-commands.ts';

/** Prints what share of recorded commands only reads, and the time that it takes to tell. `--sample 300 7 FILE` writes so many of them, drawn by a seed. */

if (recordedCases === null) process.stdout.write('The recorded commands are absent (../shared/cases).\n');
else measure(recordedCommands(recordedCases));

function measure(commands: readonly string[]): void {
  const readers = commands.filter(onlyReads);
  const times = commands.map(timeOf).toSorted((a, b) => a - b);
  const at = (share: number): string => ((times[Math.floor(times.length * share)] ?? 0) * 1000).toFixed(0);
  const share = ((100 * readers.length) / commands.length).toFixed(1);
  process.stdout.write(`${commands.length} commands, ${share} % only read, p50 ${at(0.5)} µs, p99 ${at(0.99)} µs\n`);
  const [flag, count, seed, file] = process.argv.slice(2);
  if (flag === '--sample' && file !== undefined) writeFileSync(file, drawn(readers, Number(count), Number(seed)).join('\n---\n'));
}

function timeOf(command: string): number {
  const start = performance.now();
  inspectCommand(command, RECORDED_FACTS);
  return performance.now() - start;
}
