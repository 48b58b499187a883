import { spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchAnswer, createToolBench } from './tool-bench.ts';

/** Root passes every permission bit, so as root the calls run as `nobody` in a process of their own. */
const NOBODY = 65_534;

export interface UserCall {
  readonly name: string;
  readonly input: unknown;
}

/** Gives a folder and all in it to the user that `callAsUser` is. */
export function giveToUser(path: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(path, NOBODY, NOBODY);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveToUser(join(path, name));
}

/** Runs calls in a folder as an ordinary user, one after the other. */
export function callAsUser(root: string, ...calls: readonly UserCall[]): BenchAnswer[] {
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename], {
    input: JSON.stringify({ root, calls }),
    encoding: 'utf8',
    ...identity,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as BenchAnswer[];
}

if (process.argv[1] === import.meta.filename) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  const { root, calls } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { root: string; calls: UserCall[] };
  const bench = createToolBench({ root });
  const answers: BenchAnswer[] = [];
  for (const { name, input } of calls) answers.push(await bench.call(name, input));
  await bench.close();
  process.stdout.write(JSON.stringify(answers));
}
