import { commandEnvironment } from '../process/command-environment.ts';
import { findProgram } from '../process/find-program.ts';
import { runProcess } from '../process/process.ts';
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
    const { file, args, env, starter } = await sandbox.enter(program, CONFINED, workspace);
    let said = '';
    const { exitCode } = await runProcess({
      file,
      args,
      env,
      starter,
      cwd: workspace,
      timeoutMs: PROBE_TIMEOUT_MS,
      signal: new AbortController().signal,
      onOutput: async (bytes) => void (said += Buffer.from(bytes).toString()),
    });
    if (exitCode === 0) return '';
    return said.trim().split('\n').at(-1) || `it ended with ${exitCode ?? 'a signal'}`;
  } catch (thrown) {
    return String(thrown);
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
