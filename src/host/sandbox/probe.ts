import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandEnvironment } from '../process/command-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { createBwrapSandbox } from './bwrap.ts';
import { knownVerdict, rememberVerdict } from './verdict.ts';
import { noSandbox, rootsOf, type Sandbox, type SandboxPlace } from './sandbox.ts';

const PROBE_TIMEOUT_MS = 10_000;
const CONFINED = { writes: 'workspace', network: false, writable: [], readable: [] } as const;

/** Finds what can confine commands here by confining one: that a program is installed says little. */
export async function probeBwrap(place: SandboxPlace): Promise<Sandbox> {
  const file = findBwrap(place);
  if (file === null) return noSandbox('bubblewrap is not installed. Install the package bubblewrap (apt, dnf, pacman, apk).');
  const known = knownVerdict(place.state, file);
  if (known !== null) return createBwrapSandbox(known, place);
  let fault = '';
  for (const canSealNamespaces of [true, false]) {
    const bwrap = { file, canSealNamespaces };
    const sandbox = createBwrapSandbox(bwrap, place);
    fault = await faultOf(sandbox, place);
    if (fault === '') {
      rememberVerdict(place.state, bwrap);
      return sandbox;
    }
    if (!/disable-userns/.test(fault)) break;
  }
  return noSandbox(`bubblewrap does not work here: ${fault}. ${remedyFor(fault)}`);
}

/** The system's own before any other, and never one that a model may have written: it would decide about its own limits. */
function findBwrap(place: SandboxPlace): string | null {
  return findProgram('bwrap', { environment: place.environment, roots: rootsOf(place), first: ['/usr/bin', '/usr/local/bin'] });
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
