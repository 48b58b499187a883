import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { isWithin } from '../../core/footprint.ts';
import { commandEnvironment } from '../process/command-environment.ts';
import { isProgram } from '../process/is-program.ts';
import { createBwrapSandbox } from './bwrap.ts';
import { noSandbox, type Sandbox, type SandboxPlace } from './sandbox.ts';

const PROBE_TIMEOUT_MS = 10_000;
const CONFINED = { writes: 'workspace', network: false, writable: [], readable: [] } as const;

/** Finds what can confine commands here by confining one: that a program is installed says little. */
export async function probeBwrap(place: SandboxPlace): Promise<Sandbox> {
  const file = findBwrap(place);
  if (file === null) return noSandbox('bubblewrap is not installed. Install the package bubblewrap (apt, dnf, pacman, apk).');
  let fault = '';
  for (const canSealNamespaces of [true, false]) {
    const sandbox = createBwrapSandbox({ file, canSealNamespaces }, place);
    fault = await faultOf(sandbox, place);
    if (fault === '') return sandbox;
    if (!/disable-userns/.test(fault)) break;
  }
  return noSandbox(`bubblewrap does not work here: ${fault}. ${remedyFor(fault)}`);
}

/** Never one of the workspace's own: it would decide about its own limits. */
function findBwrap({ environment, workspace }: SandboxPlace): string | null {
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder) && !isWithin(folder, workspace));
  return [...folders, '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, 'bwrap')).find(isProgram) ?? null;
}

async function faultOf(sandbox: Sandbox, { workspace, environment }: SandboxPlace): Promise<string> {
  try {
    const program = { file: '/bin/sh', args: ['-c', ':'], env: commandEnvironment(environment) };
    const { file, args, env } = await sandbox.enter(program, CONFINED, workspace);
    await promisify(execFile)(file, args, { cwd: workspace, env, timeout: PROBE_TIMEOUT_MS });
    return '';
  } catch (thrown) {
    const { stderr, message } = thrown as { readonly stderr?: string; readonly message: string };
    return (stderr?.trim() || message).split('\n').at(-1) ?? message;
  }
}

function remedyFor(fault: string): string {
  if (/uid map|namespace|clone|unshare/i.test(fault) && !/mount proc/.test(fault)) {
    return 'User namespaces are refused: on Ubuntu 24.04 and later install the bubblewrap of the system with its AppArmor profile, or in a container allow them (--security-opt seccomp=unconfined).';
  }
  if (/mount/i.test(fault)) {
    return 'A container that masks /proc does not let another one be mounted: run it with --security-opt systempaths=unconfined, or outside.';
  }
  return 'Try: bwrap --unshare-all --ro-bind / / --proc /proc true';
}
