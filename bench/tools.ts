import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ripgrepPath } from '../src/host/search/ripgrep.ts';

// What the tools cost beside the programs they stand on, each pair in one run. Needs the built bundle; takes about a minute.
const ROUNDS = Number(process.argv[2] ?? 5);
const WIELD = join(import.meta.dirname, '../bin/wield.js');
const FILES = 60_000;
const root = mkdtempSync(join(tmpdir(), 'wield-bench-'));
const home = join(root, 'home');
const rows: string[][] = [];
let hasFailed = false;

interface Figures {
  readonly ms: number;
  readonly peakMb: number;
}

/** Runs a program under GNU time's accounting, or Node's own where it is missing. */
function run(file: string, args: readonly string[]): Figures {
  const script = `const { spawnSync } = require('node:child_process'); const t = performance.now(); const r = spawnSync(process.argv[1], process.argv.slice(2), { stdio: ['ignore', 'ignore', 'inherit'], env: process.env }); console.log(JSON.stringify({ ms: performance.now() - t, status: r.status })); `;
  // A process of its own, so that the largest of its children is this one.
  const measured = spawnSync(process.execPath, ['-e', `${script} console.log(process.resourceUsage().maxRSS)`, file, ...args], {
    env: { ...process.env, HOME: home },
    encoding: 'utf8',
  });
  const { ms } = JSON.parse(measured.stdout.split('\n')[0] ?? '{}') as { ms: number };
  return { ms, peakMb: peakOf(file, args) };
}

function peakOf(file: string, args: readonly string[]): number {
  const timed = spawnSync('/usr/bin/time', ['-f', '%M', file, ...args], {
    env: { ...process.env, HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return timed.error === undefined ? Number(timed.stderr.trim().split('\n').at(-1)) / 1024 : Number.NaN;
}

function tool(name: string, input: object): [string, string[]] {
  return [process.execPath, [WIELD, 'tool', 'run', name, '--cwd', root, '--input', JSON.stringify(input)]];
}

/** Bare rg, whose output somebody keeps: it goes into a file. */
function rg(pattern: string, tree: string): [string, string[]] {
  const command = 'exec "$0" --hidden --no-require-git -n "$1" "$2" > "$3"';
  return ['sh', ['-c', command, ripgrepPath(), pattern, tree, join(root, 'rg.txt')]];
}

function edit(name: string, round: number): [string, string[]] {
  const old_string = round === 0 ? 'only needle' : `needle ${round - 1}`;
  return tool('EditFile', { path: join(root, name), old_string, new_string: `needle ${round}` });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function compareTimes(name: string, ours: [string, string[]], theirs: [string, string[]], gate: number): void {
  const pairs = Array.from({ length: ROUNDS }, () => ({ ours: run(...ours).ms, theirs: run(...theirs).ms }));
  const ratio = median(pairs.map((pair) => pair.ours / pair.theirs));
  add(
    name,
    `${median(pairs.map((pair) => pair.ours)).toFixed(0)} ms`,
    `${median(pairs.map((pair) => pair.theirs)).toFixed(0)} ms`,
    `${ratio.toFixed(2)} ×`,
    `≤ ${gate} ×`,
    ratio <= gate,
  );
}

function comparePeaks(name: string, ours: [string, string[]], theirs: [string, string[]], gateMb: number): void {
  const more = median(Array.from({ length: ROUNDS }, () => run(...ours).peakMb - run(...theirs).peakMb));
  add(name, '', '', `${more.toFixed(0)} MB more`, `≤ ${gateMb} MB`, more <= gateMb);
}

function add(name: string, ours: string, theirs: string, result: string, gate: string, isPass: boolean): void {
  rows.push([name, ours, theirs, result, gate, isPass ? 'PASS' : 'FAIL']);
  if (!isPass) hasFailed = true;
}

function makeTree(): void {
  for (let i = 0; i < FILES; i++) {
    const folder = join(root, 'tree', `d${Math.floor(i / 200)}`);
    if (i % 200 === 0) mkdirSync(folder, { recursive: true });
    const text = `export const value${i} = ${i};\nfunction call${i}() {\n  return value${i} + 1;\n}\n`.repeat(8);
    writeFileSync(join(folder, `f${i}.${i % 3 === 0 ? 'ts' : 'js'}`), i % 3000 === 0 ? `${text}needle\n` : text);
  }
}

function makeBigFiles(): void {
  const sparse = openSync(join(root, 'huge.txt'), 'w');
  writeSync(sparse, 'a line of text\n'.repeat(1000));
  ftruncateSync(sparse, 4 * 1024 ** 3);
  closeSync(sparse);
  writeFileSync(join(root, 'small.txt'), 'a line of text\n'.repeat(1000));
  writeFileSync(join(root, 'fifty.txt'), `${'some text in a line of a large file\n'.repeat(1_400_000)}the only needle\n`);
  writeFileSync(join(root, 'one.txt'), 'the only needle\n');
}

const STAT_ALL = `const { execFileSync } = require('node:child_process'); const { statSync } = require('node:fs'); const out = execFileSync(${JSON.stringify(ripgrepPath())}, ['--files', '--hidden', '--no-require-git', '-0', '.'], { maxBuffer: 1e9 }).toString().split('\\0'); for (const p of out) if (p.endsWith('.ts')) statSync(p);`;

try {
  mkdirSync(home);
  makeTree();
  makeBigFiles();
  const tree = join(root, 'tree');
  compareTimes(
    'Grep, a rare word in 60,000 files, beside rg',
    tool('Grep', { pattern: 'needle', path: tree }),
    rg('needle', tree),
    1.3,
  );
  compareTimes('Grep, a word in every file, beside rg', tool('Grep', { pattern: 'return', path: tree }), rg('return', tree), 1.3);
  process.chdir(tree);
  compareTimes(
    'Glob **/*.ts in 60,000 files, beside rg --files and a stat of each',
    tool('Glob', { pattern: '**/*.ts', path: tree }),
    [process.execPath, ['-e', STAT_ALL]],
    1.3,
  );
  comparePeaks(
    'ReadFile, ten lines of 4 GB, beside ten lines of 15 KB',
    tool('ReadFile', { path: join(root, 'huge.txt'), limit: 10 }),
    tool('ReadFile', { path: join(root, 'small.txt'), limit: 10 }),
    30,
  );
  // The start of the process is not the edit's: the same edit of a small file is taken off.
  const edits = Array.from({ length: ROUNDS }, (_, i) => run(...edit('fifty.txt', i)).ms - run(...edit('one.txt', i)).ms);
  add('EditFile in a 50 MB file, beyond one line', `${median(edits).toFixed(0)} ms`, '', '', '≤ 1000 ms', median(edits) <= 1000);
  comparePeaks(
    'Bash, 1 GB of output, beside none',
    tool('Bash', { command: 'head -c 1000000000 /dev/zero | tr "\\\\0" x', timeout_ms: 120_000 }),
    tool('Bash', { command: 'true' }),
    100,
  );
} finally {
  process.chdir(tmpdir());
  rmSync(root, { recursive: true, force: true });
}
const header = ['', 'wield', 'beside', 'result', 'gate', ''];
for (const row of [header, ...rows]) console.log(row.map((cell, i) => cell.padEnd([68, 10, 10, 14, 12, 4][i] ?? 0)).join(' '));
process.exit(hasFailed ? 1 : 0);
