import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSandbox } from '../src/host/sandbox/open-sandbox.ts';
import type { SandboxPlace } from '../src/host/sandbox/sandbox.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'wield-killed-')));
const [home, workspace, state] = ['home', 'workspace', 'state'].map((name) => join(base, name)) as [string, string, string];
for (const folder of [home, workspace]) mkdirSync(folder);
const place: SandboxPlace = {
  workspace,
  home,
  state,
  addDirs: [],
  config: state,
  mode: 'workspace-write',
  environment: { PATH: process.env['PATH'], HOME: home },
};
const hasNone = (await openSandbox(place)).kind === 'none';
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Runs a script that ends as by `kill -9`, in the middle of a command. */
function runKilled(script: string): void {
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: base },
  });
  expect({ signal, stderr: stderr.toString() }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

function hostFile(name: string): string {
  return JSON.stringify(new URL(`../src/host/${name}`, import.meta.url).href);
}

/** The running programs among whose words one is. */
function runningWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOrNothing(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
    .filter((words) => words.includes(word));
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test.skipIf(hasNone)('a command in the sandbox, and what left its group, ends with a program that is killed', async () => {
  const seconds = `8639.${process.pid}`;
  const command = `setsid sleep ${seconds} & touch ready; sleep ${seconds}`;
  runKilled(`
    import { existsSync } from 'node:fs';
    import { SpillStore } from ${hostFile('files/spill.ts')};
    import { createLocalShell } from ${hostFile('process/local-shell.ts')};
    import { openSandbox } from ${hostFile('sandbox/open-sandbox.ts')};
    const place = ${JSON.stringify(place)};
    const sandbox = await openSandbox(place);
    const spills = new SpillStore(place.state + '/output');
    const shell = createLocalShell({ spills, environment: place.environment, sandbox: async () => sandbox });
    const request = { command: ${JSON.stringify(command)}, cwd: place.workspace, timeoutMs: 60_000, signal: new AbortController().signal };
    void shell.run(request, { writes: 'workspace', network: false, writable: [], readable: [] });
    setInterval(() => existsSync(place.workspace + '/ready') && process.kill(process.pid, 'SIGKILL'), 5);`);
  await expect.poll(() => runningWith(seconds), { timeout: 10_000 }).toEqual([]);
});

test('a shell that waits for its pipe to be opened does not wait for ever', async () => {
  const word = `wait-for-pipe-${process.pid}`;
  runKilled(`
    import { runProcess } from ${hostFile('process/process.ts')};
    void runProcess({ file: '/bin/echo', args: [${JSON.stringify(word)}], cwd: '/', env: { PATH: process.env.PATH }, timeoutMs: null,
      signal: new AbortController().signal, onOutput: async () => {} });
    process.kill(process.pid, 'SIGKILL');`);
  await expect.poll(() => runningWith(word), { timeout: 10_000 }).toEqual([]);
});
