import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a recorded command did in a made-up home, where the paths that it names exist. */
export interface Watched {
  readonly exitCode: number | null;
  /** Paths that were made, changed or taken away. */
  readonly written: readonly string[];
  /** Names of the programs that were started. */
  readonly started: readonly string[];
  readonly connected: readonly string[];
}

/** Whether this machine has what watching needs. */
export function canWatch(): boolean {
  return ['bwrap', 'strace', 'git'].every((program) => spawnSync(program, ['--version']).status === 0);
}

const LOG = '/var/tmp/calls';

/** Runs it in bash, cut off from machine and network, with each start of a program and each connection traced. */
export function watch(command: string): Watched {
  const root = mkdtempSync(join(tmpdir(), 'watched-'));
  try {
    for (const place of placesIn(command, root)) furnish(place);
    writeFileSync(join(root, 'calls'), '');
    const home = join(root, 'home');
    const before = marksIn(home);
    const { status } = spawnSync('bwrap', [...isolation(root), ...tracing(), '-c', command], { timeout: 20_000, input: '' });
    const after = marksIn(home);
    const paths = [...new Set([...before.keys(), ...after.keys()])];
    return {
      exitCode: status,
      written: paths.filter((path) => before.get(path) !== after.get(path)).map((path) => path.slice(root.length)),
      ...tracedIn(readFileSync(join(root, 'calls'), 'utf8')),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function isolation(root: string): string[] {
  const binds = [
    '--bind',
    join(root, 'home'),
    '/home',
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/var/tmp',
    '--bind',
    join(root, 'calls'),
    LOG,
  ];
  return ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...binds];
}

function tracing(): string[] {
  const shell = ['bash', '--norc', '--noprofile'];
  return [
    '--chdir',
    '/home/user/project',
    '--setenv',
    'HOME',
    '/home/user',
    'strace',
    '-f',
    '-qq',
    '-o',
    LOG,
    '-e',
    'trace=execve,connect',
    ...shell,
  ];
}

/** The folders that a command goes to, and files with the names that it reads. */
function placesIn(command: string, root: string): ReadonlySet<string> {
  const places = new Set([join(root, 'home/user/project')]);
  for (const [path] of command.matchAll(/\/home\/[^\s'"`;|&()<>*?$]+/g)) {
    const at = join(root, path);
    if (/\.\w{1,6}$/.test(path)) writeNew(at, '{"name":"x"}\nexport const a = 1;\nTODO error\n');
    else places.add(at);
  }
  return places;
}

function furnish(folder: string): void {
  writeNew(join(folder, 'src/a.ts'), 'export const a = 1; // TODO\n');
  writeNew(join(folder, 'package.json'), '{"name":"x","scripts":{"test":"true"}}\n');
  const git = (...args: readonly string[]): unknown =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'first'],
  ])
    git(...args);
}

function writeNew(path: string, text: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** git may refresh its index while it only looks. */
function marksIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/\.git(?:\/index(?:\.lock)?)?$/.test(name),
  );
  return new Map(
    names.map((name) => {
      const { mode, size, mtimeMs, ino } = lstatSync(join(folder, name));
      return [join(folder, name), `${mode} ${size} ${mtimeMs} ${ino}`];
    }),
  );
}

function tracedIn(log: string): Pick<Watched, 'started' | 'connected'> {
  // The first is the shell itself.
  const starts = [...log.matchAll(/execve\("([^"]+)".* = 0$/gm)].map((match) => match[1]?.split('/').at(-1) ?? '').slice(1);
  const connects = [...log.matchAll(/connect\(.*AF_(?:INET|UNIX).*/g)]
    .map(([line]) => line)
    .filter((line) => !line.includes('nscd'));
  return { started: [...new Set(starts)], connected: connects };
}
