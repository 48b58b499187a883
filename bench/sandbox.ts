import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../src/core/permission.ts';
import { UNCONFINED } from '../src/core/permission.ts';
import { SpillStore } from '../src/host/files/spill.ts';
import { commandEnvironment } from '../src/host/process/command-environment.ts';
import { createLocalShell } from '../src/host/process/local-shell.ts';
import { runProcess } from '../src/host/process/process.ts';
import { openSandbox } from '../src/host/sandbox/open-sandbox.ts';

// What the sandbox adds to a command that does nothing: the same shell, with it and without, in turn. Beside them bwrap with namespaces
// and the mounts that no sandbox can do without, started in the same way: what is beyond that is ours.
const ROUNDS = Number(process.argv[2] ?? 60);
const TARGET_MS = 15;
const CONFINED: Confinement = { writes: 'workspace', network: false, writable: [], readable: [] };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-')));
const state = join(folder, 'state');
const environment = process.env;
const place = { workspace: folder, addDirs: [], home: homedir(), state, config: state, environment };
const opened = await openSandbox({ ...place, mode: 'workspace-write' });
const shell = createLocalShell({ spills: new SpillStore(join(state, 'output')), environment, sandbox: async () => opened });

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

const timeoutMs = 10_000;
const { signal } = new AbortController();

function command(confinement: Confinement): () => Promise<unknown> {
  return () => shell.run({ command: 'true', cwd: folder, timeoutMs, signal }, confinement);
}

const NAMESPACES = ['--unshare-user', '--unshare-all', '--cap-drop', 'ALL'];
const NEEDED = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', folder, folder];
const TRUE = ['/bin/bash', '--norc', '--noprofile', '-c', 'true'];

function bareBwrap(): Promise<unknown> {
  const args = [...NAMESPACES, ...NEEDED, '--', ...TRUE];
  const env = commandEnvironment(environment);
  return runProcess({ file: 'bwrap', args, env, cwd: folder, timeoutMs, signal, onOutput: async () => undefined });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (opened.why !== null) {
  console.log(`no sandbox: ${opened.why}`);
} else {
  const acts = { plain: command(UNCONFINED), bare: bareBwrap, confined: command(CONFINED) };
  const rounds: { readonly plain: number; readonly bare: number; readonly confined: number }[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({ plain: await timeOf(acts.plain), bare: await timeOf(acts.bare), confined: await timeOf(acts.confined) });
  }
  const added = median(rounds.map(({ plain, confined }) => confined - plain));
  const addedBare = median(rounds.map(({ plain, bare }) => bare - plain));
  console.log(
    `plain ${median(rounds.map(({ plain }) => plain)).toFixed(1)} ms, confined ${median(rounds.map(({ confined }) => confined)).toFixed(1)} ms`,
  );
  console.log(`bwrap alone, with the least of mounts, adds ${addedBare.toFixed(1)} ms`);
  console.log(`added ${added.toFixed(1)} ms (median of ${ROUNDS} pairs; target under ${TARGET_MS} ms)`);
  if (added > TARGET_MS) process.exitCode = 1;
}
rmSync(folder, { recursive: true, force: true });
