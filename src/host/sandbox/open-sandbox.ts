import { probeBwrap } from './probe.ts';
import { noSandbox, type Sandbox, type SandboxPlace } from './sandbox.ts';
import { openSeatbelt } from './seatbelt.ts';

/** What can confine commands on this machine, tried once. Never throws: where there is nothing, it says why. */
export async function openSandbox(place: SandboxPlace): Promise<Sandbox> {
  if (place.mode === 'danger-full-access') return noSandbox('It was turned off with --sandbox danger-full-access.');
  if (process.platform === 'linux') return probeBwrap(place);
  if (process.platform === 'darwin') return openSeatbelt(place);
  return noSandbox(`There is none for ${process.platform}. On Windows, run wield in WSL.`);
}
