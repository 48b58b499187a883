import { setTimeout as sleep } from 'node:timers/promises';
import { type Confinement, UNCONFINED } from '../../core/permission.ts';
import type { ConfinedShell } from '../../core/ports.ts';
import { SpillStore } from '../files/spill.ts';
import { createLocalShell } from '../process/local-shell.ts';
import attempts from './escape-attempts.json' with { type: 'json' };
import { type EscapeEffect, EscapeStage } from './escape-stage.ts';
import { openSandbox } from './open-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** What came of one attempt to get out of the sandbox. */
export interface EscapeResult {
  readonly name: string;
  readonly held: boolean;
  /** Whether the same act works without a sandbox; null where that was not tried, since it would harm the machine or proves nothing. */
  readonly worksOutside: boolean | null;
}

const CONFINED: Confinement = { writes: 'workspace', network: false, writable: [], readable: [] };
const TIMEOUT_MS = 10_000;
// A server of this process hears of a connection a moment after the client.
const SETTLE_MS = 5;

/** Tries to get out of the sandbox of this machine in every way of the list; each first as it is, and where that is safe without a sandbox. */
export async function runEscapeBattery(onResult: (result: EscapeResult) => void): Promise<Sandbox> {
  const stage = new EscapeStage();
  try {
    await stage.open();
    await stage.reset('said');
    const { workspace, home, state } = stage;
    const environment = stage.environment();
    const sandbox = await openSandbox({
      workspace,
      addDirs: [],
      home,
      state,
      config: state,
      mode: 'workspace-write',
      environment,
    });
    if (sandbox.kind === 'none') return sandbox;
    const shell = createLocalShell({ spills: new SpillStore(`${state}/output`), environment, sandbox: async () => sandbox });
    for (const { name, run, effect, control = true } of attempts as readonly Attempt[]) {
      const held = !(await hasEffect({ stage, shell, run, effect }, CONFINED));
      const worksOutside = control ? await hasEffect({ stage, shell, run, effect }, UNCONFINED) : null;
      onResult({ name, held, worksOutside });
    }
    return sandbox;
  } finally {
    await stage.close();
  }
}

/** A script for bash, what it would have done, and whether it is safe to be tried without a sandbox. */
interface Attempt {
  readonly name: string;
  readonly run: string;
  readonly effect: EscapeEffect;
  readonly control?: boolean;
}

interface Trial {
  readonly stage: EscapeStage;
  readonly shell: ConfinedShell;
  readonly run: string;
  readonly effect: EscapeEffect;
}

async function hasEffect({ stage, shell, run, effect }: Trial, confinement: Confinement): Promise<boolean> {
  await stage.reset(effect);
  const command = `${stage.variables()}\n${run}`;
  const signal = new AbortController().signal;
  const { output } = await shell.run({ command, cwd: stage.workspace, timeoutMs: TIMEOUT_MS, signal }, confinement);
  await sleep(SETTLE_MS);
  return stage.hasEffect(effect, output);
}
