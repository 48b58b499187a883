import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShellPart, ShellReport } from '../src/shell/report.ts';

/** What a command did when bash ran it. */
export interface Effects {
  readonly started: readonly string[];
  /** Paths that were made or changed. */
  readonly written: readonly string[];
  readonly cwd: string;
}

const REAL = 'cat ls head sort uniq sed tee touch mkdir cp mv find grep wc env timeout xargs nice nohup stdbuf bash sh'.split(
  ' ',
);
const CANARIES = ['w1', 'w2', 'w3'];

// What is not found is a canary too: bash tells, and starts nothing. All else are builtins and the programs of the folder.
const DRIVER = `
command_not_found_handle() { builtin printf '%s\\0' "$1" >> "$FUZZ_LOG"; return 0; }
builtin mapfile -d '' -t fuzz_commands < "$1"
for fuzz_index in "\${!fuzz_commands[@]}"; do
  (
    builtin export FUZZ_LOG="$2/log/$fuzz_index" HOME="$2/home"
    builtin cd "$2/at/$fuzz_index" || builtin exit
    builtin ulimit -t 1 -f 2000
    fuzz_text="\${fuzz_commands[$fuzz_index]}"
    unset fuzz_commands fuzz_index
    builtin set --
    builtin eval "$fuzz_text"
  ) < /dev/null > /dev/null 2>&1
  builtin printf %s "$fuzz_index" > "$2/reached"
done
`;

/** Runs commands in real bash, each in a folder of its own where only canaries and a few harmless programs can be found. */
export function runUnderCanary(commands: readonly string[]): readonly Effects[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'shell-fuzz-')));
  try {
    for (const folder of ['bin', 'log', 'home', 'at']) mkdirSync(join(root, folder));
    for (const name of REAL) symlinkSync(pathOf(name), join(root, 'bin', name));
    for (const name of CANARIES) writeCanary(join(root, 'bin', name));
    for (const at of commands.keys()) prepareFolder(join(root, 'at', String(at)));
    writeFileSync(join(root, 'commands'), commands.map((command) => `${command}\0`).join(''));
    writeFileSync(join(root, 'driver'), DRIVER);
    spawnSync('/bin/bash', ['--norc', '--noprofile', join(root, 'driver'), join(root, 'commands'), root], {
      env: { PATH: join(root, 'bin'), LANG: 'C' },
      stdio: 'ignore',
      timeout: 540_000,
      killSignal: 'SIGKILL',
    });
    return commands.map((_, at) => effectsAt(root, at));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function pathOf(name: string): string {
  return ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => tryReal(path) !== null) ?? `/bin/${name}`;
}

function tryReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function writeCanary(path: string): void {
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" >> "$FUZZ_LOG"\n`);
  chmodSync(path, 0o755);
}

const START = new Map([
  ['f1', 'a line\nb line\nx\n'],
  ['d1/f2', 'c\n'],
]);

function prepareFolder(folder: string): void {
  mkdirSync(join(folder, 'd1'), { recursive: true });
  for (const [name, text] of START) writeFileSync(join(folder, name), text);
  writeCanary(join(folder, 'w1'));
}

function effectsAt(root: string, at: number): Effects {
  const cwd = join(root, 'at', String(at));
  const log = tryRead(join(root, 'log', String(at)));
  const present = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'd1' && name !== 'w1');
  const written = present.filter((name) => START.get(name) === undefined || START.get(name) !== tryRead(join(cwd, name)));
  const gone = [...START.keys()].filter((name) => !present.includes(name));
  return {
    started: [...new Set(log.split('\0').filter((name) => name !== ''))],
    written: [...written, ...gone].map((name) => join(cwd, name)),
    cwd,
  };
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What bash did and the report does not tell of. Where the report would ask about the whole, nothing is missed. */
export function missedBy(report: ShellReport, { started, written }: Effects): readonly string[] {
  if (!report.isClear || report.parts.some(({ beyondRules }) => beyondRules !== null)) return [];
  const names = new Set(report.parts.map(({ words }) => words[0]?.split('/').at(-1)));
  return [
    ...started.filter((name) => !names.has(name)).map((name) => `start of ${name}`),
    ...written.filter((path) => !report.parts.some((part) => tellsOfWrite(part, path))).map((path) => `write of ${path}`),
  ];
}

/** A canary acts too, but it writes nothing. */
function tellsOfWrite({ effect, words, writes }: ShellPart, path: string): boolean {
  if (effect === 'acts' && !/^(?:\.\/)?[cw]\d$/.test(words[0] ?? 'c1')) return true;
  return writes.some(
    (use) => use.path === null || use.path === path || path.startsWith(`${use.path}/`) || use.path.startsWith(`${path}/`),
  );
}
