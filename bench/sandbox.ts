import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../src/core/permission.ts';
import { UNCONFINED } from '../src/core/permission.ts';
import { SpillStore } from '../src/host/files/spill.ts';
import { createLocalShell } from '../src/host/process/local-shell.ts';
import { openSandbox } from '../src/host/sandbox/open-sandbox.ts';

// What the sandbox adds to a command that does nothing: the same shell, with it and without, in turn.
const ROUNDS = Number(process.argv[2] ?? 60);
const TARGET_MS = 15;
const CONFINED: Confinement = { writes: 'workspace', network: false, writable: [], readable: [] };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wield-bench-')));
const state = join(folder, 'state');
const environment = process.env;
const place = { workspace: folder, addDirs: [], home: homedir(), state, config: state, environment };
const opened = await openSandbox({ ...place, mode: 'workspace-write' });
const shell = createLocalShell({ spills: new SpillStore(join(state, 'output')), environment, sandbox: async () => opened });

async function timeOf(confinement: Confinement): Promise<number> {
  const startedAt = performance.now();
  await shell.run({ command: 'true', cwd: folder, timeoutMs: 10_000, signal: new AbortController().signal }, confinement);
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

if (opened.why !== null) {
  console.log(`no sandbox: ${opened.why}`);
} else {
  const pairs: { readonly plain: number; readonly confined: number }[] = [];
  for (let i = 0; i < ROUNDS; i++) pairs.push({ plain: await timeOf(UNCONFINED), confined: await timeOf(CONFINED) });
  const added = median(pairs.map(({ plain, confined }) => confined - plain));
  console.log(
    `plain ${median(pairs.map(({ plain }) => plain)).toFixed(1)} ms, confined ${median(pairs.map(({ confined }) => confined)).toFixed(1)} ms`,
  );
  console.log(`added ${added.toFixed(1)} ms (median of ${ROUNDS} pairs; target under ${TARGET_MS} ms)`);
  if (added > TARGET_MS) process.exitCode = 1;
}
rmSync(folder, { recursive: true, force: true });
